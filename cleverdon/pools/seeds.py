"""Seeds, and what they draw: the order of an assessor's documents, and samples judged twice."""

import hashlib
import json
import math
from collections.abc import Collection

import numpy as np


def seed_for(*parts: int | str) -> int:
    """Derive a seed below 2**63 from, for example, a campaign's seed, a topic and an assessor."""
    text = json.dumps(parts, ensure_ascii=False)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def shuffled(docnos: Collection[str], seed: int) -> list[str]:
    """Shuffle with PCG64; only the set of docnos and the seed matter, not the order given."""
    canonical = sorted(set(docnos))  # by code point, as their UTF-8 bytes sort
    generator = np.random.Generator(np.random.PCG64(seed))
    return [canonical[index] for index in generator.permutation(len(canonical))]


def sample(docnos: Collection[str], share: float, seed: int) -> list[str]:
    """Draw a share (0 to 1, else ValueError) of the documents, rounded up, sorted by docno.

    With the same seed, a larger share contains every smaller one.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"A share is from 0 to 1, not {share}.")
    drawn = shuffled(docnos, seed)
    # Rounding first keeps 0.07 * 100, which is 7.000000000000001, from becoming 8.
    return sorted(drawn[: math.ceil(round(share * len(drawn), 9))])
