"""The order in which an assessor is served documents, and the sample judged twice."""

import hashlib
import json
import math
from collections.abc import Collection

import numpy as np


def seed_for(*parts: int | str) -> int:
    """Derive a seed of 63 bits from, for example, a campaign's seed, a topic and an assessor."""
    text = json.dumps(parts, ensure_ascii=False)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def shuffled(docnos: Collection[str], seed: int) -> list[str]:
    """Shuffle; the order depends on the set of documents and the seed, not on the order given."""
    canonical = sorted(set(docnos))  # code points order strings as UTF-8 orders bytes
    generator = np.random.Generator(np.random.PCG64(seed))
    return [canonical[place] for place in generator.permutation(len(canonical))]


def sample(docnos: Collection[str], share: float, seed: int) -> list[str]:
    """Draw a share of the documents, rounded up, in the order of their docnos.

    A larger share with the same seed contains a smaller one. ValueError when the share is not from 0 to 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"A share is from 0 to 1, not {share}.")
    drawn = shuffled(docnos, seed)
    # Rounding first keeps 0.07 * 100, which is 7.000000000000001, from becoming 8.
    return sorted(drawn[: math.ceil(round(share * len(drawn), 9))])
