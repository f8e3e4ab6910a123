"""A batch as lines of JSON, and the hash that identifies it: that of the file with these lines."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pooling.core.forming import Entry, Recipe


def lines_of(
    recipe: Recipe,
    sha256: Mapping[Any, str],
    pool: Iterable[tuple[str, Iterable[Entry]]],
    judged: Mapping[str, Mapping[str, int]] | None = None,
) -> Iterator[str]:
    """Yield the lines of a batch: how it was formed, then each document in the order chosen.

    `sha256` are the hashes of the contributing runs' files by the runs' keys; topics come in byte
    order. The first line is the recipe with the files' hashes in order, and with what an adaptive
    strategy was told of documents `judged` before; the others are topic, docno, why, whether the
    batch adds it, and every (number of the file among the hashes, rank). No tag and no order of
    upload is in them.
    """
    hashes = sorted(sha256.values())
    numbers = {key: hashes.index(each) for key, each in sha256.items()}
    told = {"judged": judged} if judged else {}
    yield _line({**vars(recipe), "runs": hashes, **told})
    for topic, entries in pool:
        for docno, runs, ranks, reason, is_new in entries:
            places = sorted(zip(map(numbers.__getitem__, runs), ranks, strict=True))
            yield _line([topic, docno, reason, is_new, places])


def fingerprint(lines: Iterable[str]) -> str:
    """Return the SHA-256 of `lines_of` a batch, in hexadecimal digits."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode())
    return digest.hexdigest()


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
