"""The hash that identifies a pool."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from pooling.core.forming import Entry, Recipe


def fingerprint(
    recipe: Recipe, sha256: Mapping[Any, str], pool: Iterable[tuple[str, Iterable[Entry]]]
) -> str:
    """Return the SHA-256 of a pool and of how it was formed, in hexadecimal digits.

    `sha256` are the hashes of the contributing runs' files by the runs' keys; topics come in byte
    order. The hash is that of lines of JSON in canonical order: the recipe with the files' hashes
    in order, then one line for each document, by topic and docno: topic, docno, why, and every
    (number of the file among the hashes, rank). No tag, no key and no order is in it.
    """
    hashes = sorted(sha256.values())
    numbers = {key: hashes.index(each) for key, each in sha256.items()}
    digest = hashlib.sha256(_line({**vars(recipe), "runs": hashes}))
    for topic, entries in pool:
        for docno, runs, ranks, reason in sorted(entries):
            lines = sorted(zip(map(numbers.__getitem__, runs), ranks, strict=True))
            digest.update(_line([topic, docno, reason, lines]))
    return digest.hexdigest()


def _line(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"
