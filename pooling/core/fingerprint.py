"""A batch as lines of JSON, and the hash that identifies it: that of the file with these lines."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pooling.core.forming import Entry, Recipe
from trec.streams import FormatError


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


class Exported(NamedTuple):
    """A batch as its lines say: entries by topic, whose runs are places among the `hashes`."""

    recipe: Recipe
    hashes: list[str]
    judged: dict[str, dict[str, int]]
    entries: dict[str, list[Entry]]


def read_lines(lines: Iterable[bytes]) -> Exported:
    """Read `lines_of` a batch back; FormatError with the line for anything else."""
    numbered = enumerate(lines, 1)
    number, first = next(numbered, (1, b""))
    entries: dict[str, list[Entry]] = {}
    try:
        how = json.loads(first)
        hashes, judged = [str(each) for each in how.pop("runs")], how.pop("judged", {})
        recipe = Recipe(**how)
        for number, line in numbered:
            topic, docno, reason, is_new, places = json.loads(line)
            runs, ranks = zip(*places, strict=True) if places else ((), ())
            if not all(0 <= run < len(hashes) for run in runs):
                raise FormatError(number, "There is no such run among the hashes.")
            entry = Entry(str(docno), runs, ranks, str(reason), bool(is_new))
            entries.setdefault(str(topic), []).append(entry)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(number, "This is not a line of an exported batch.") from error
    return Exported(recipe, hashes, judged, entries)


def fingerprint(lines: Iterable[str]) -> str:
    """Return the SHA-256 of `lines_of` a batch, in hexadecimal digits."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode())
    return digest.hexdigest()


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
