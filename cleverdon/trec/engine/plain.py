"""What `lines.c` does, in plain Python: the reference, and the reader where nothing compiles."""

import re
from itertools import islice, pairwise
from operator import ne

import numpy as np

from cleverdon.trec.arrays import FINISHER, MULTIPLIER, Bytes, Floats, Hashes, Integers, Mask
from cleverdon.trec.engine.fields import COMMENTS, Fields, LineBlock, Rows, Wanted

_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
# No more digits: Python refuses thousands.
_WHOLE = re.compile(rb"[+-]?0*[0-9]{1,19}")
_MARK = b"\xef\xbb\xbf"
_ODD = bytes([*range(9), *range(11, 32)])
USES_HASHES = False


def split(block: LineBlock, wanted: Wanted) -> Rows | None:
    """Split lines into columns.

    None if some line is not one that everybody reads alike: too long, with another number of
    columns, a character that may not be there or a byte order mark. Here also if anything but one
    character is between two fields.
    """
    text = block.content[block.start : block.end].tobytes()
    n, allowed, most = wanted
    words = text.split()
    is_odd = len(text.translate(None, _ODD)) < len(text) or _MARK in text
    is_clean = not is_odd and not (allowed & COMMENTS and b"#" in text)
    if not is_clean or not words or len(words) != n * block.n_lines:
        return None
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    ends = np.cumsum(lengths + 1) - 1 + block.start
    of_lines = ends[n - 1 :: n]
    if ends[-1] + 1 != block.end or (block.content[of_lines] != ord("\n")).any():
        return None
    if np.diff(of_lines, prepend=block.start - 1).max() > most:
        return None
    starts, stops = (each.reshape(-1, n).T for each in (ends - lengths, ends))
    numbers = np.arange(block.first, block.first + block.n_lines)
    return Rows(starts, stops, numbers, not text.isascii(), words)


def scores(of: Fields) -> tuple[Floats, Mask]:
    """Return finite decimal numbers, as Python's float reads them, and which fields are one.

    1_0, nan and inf are none, which is 0.
    """
    words = of.tolist()
    try:
        values = np.fromiter(map(float, words), np.float64, len(words))
        is_odd = not np.isfinite(values).all()
    except ValueError:
        is_odd = True
    # Python reads 1_0 too, and nan.
    if is_odd or b"_" in b"".join(words):
        found = [float(word) if _NUMBER.fullmatch(word) else np.inf for word in words]
        values = np.array(found, np.float64)
    are_read = np.isfinite(values)
    return np.where(are_read, values, 0), are_read


def whole(of: Fields, below: int) -> tuple[Integers, Mask]:
    """Return whole numbers below a bound in size, signed or not, and which fields are one."""
    words = of.tolist()
    found = [_whole(word) if _WHOLE.fullmatch(word) else below for word in words]
    are_read = [abs(value) < below for value in found]
    values = [value if is_read else 0 for value, is_read in zip(found, are_read, strict=True)]
    return np.array(values, np.int64), np.array(are_read, np.bool_)


def _whole(word: bytes) -> int:
    return int(b"-" * word.startswith(b"-") + (word.lstrip(b"+-").lstrip(b"0") or b"0"))


def hashes(of: Fields) -> Hashes:
    """Return a 32-bit hash of each field; equal ones prove nothing. The same in both readers."""
    words = of.tolist()
    width = -(-max(map(len, words), default=1) // 8)
    table = np.array(words, f"S{8 * width}").view("<u8").reshape(-1, width)
    total, factor = np.fromiter(map(len, words), np.uint64, len(words)), MULTIPLIER
    for column in table.T:
        total += column * np.uint64(factor)
        factor = factor * MULTIPLIER % 2**64
    total ^= total >> np.uint64(29)
    return ((total * FINISHER) >> np.uint64(32)).astype(np.uint32)


def compact(of: Fields, content: Bytes) -> None:
    """Write the fields one after the other, a line end after each."""
    text = b"\n".join([*of.tolist(), b""])
    content[: len(text)] = np.frombuffer(text, np.uint8)


def spans(of: Fields) -> Integers:
    """Return the first row of each group of equal fields that follow one another."""
    words = of.tolist()
    begins = np.ones(len(words), np.bool_)
    begins[1:] = np.fromiter(map(ne, words, islice(words, 1, None)), np.bool_)
    return np.flatnonzero(begins)


def distinct(of: Fields) -> tuple[Integers, Integers]:
    """Return the first row of each different field, in order, and each row's number among these.

    The compiled reader returns None where hashes have been made alike.
    """
    numbers: dict[bytes, int] = {}
    found = [numbers.setdefault(word, len(numbers)) for word in of.tolist()]
    of_rows = np.array(found, np.int64)
    return np.unique(of_rows, return_index=True)[1], of_rows


def rank(
    of: Fields, values: Floats, offsets: Integers, order: Integers, *, single: bool, ascending: bool
) -> bool:
    """Rank each topic's rows, `order[offsets[t]:offsets[t + 1]]`, in place; tell if any moved.

    By value, the highest first, as single precision if so asked, then by docno, the last first
    unless `ascending`.
    """
    with np.errstate(over="ignore", under="ignore"):
        keys = values.astype(np.float32).astype(np.float64) if single else values
    has_moved = False
    words: list[bytes] = []
    for start, end in pairwise(offsets.tolist()):
        rows = order[start:end].tolist()
        own = keys[order[start:end]]
        if (own[1:] < own[:-1]).all():
            continue
        words = words or of.tolist()
        ranked = sorted(rows, key=words.__getitem__, reverse=not ascending)
        ranked.sort(key=keys.__getitem__, reverse=True)
        has_moved |= ranked != rows
        order[start:end] = ranked
    return has_moved


def may_repeat(of: Fields, offsets: Integers, order: Integers) -> bool:
    """Tell whether a field may come twice in a topic; False only if none does."""
    words = of.tolist()
    return any(
        len({words[row] for row in order[start:end].tolist()}) < end - start
        for start, end in pairwise(offsets.tolist())
    )


def index(entries: Fields, offsets: Integers) -> list[dict[bytes, int]]:
    """Return what `find` looks entries up by; those of topic t are `offsets[t]:offsets[t + 1]`.

    The compiled reader returns None, here and in `find`, where hashes have been made alike.
    """
    words, bounds = entries.tolist(), offsets.tolist()
    return [{words[entry]: entry for entry in range(start, end)} for start, end in pairwise(bounds)]


def find(
    entries: Fields,
    index: list[dict[bytes, int]],
    rows: Fields,
    offsets: Integers,
    topics: Integers,
) -> tuple[Integers, Integers]:
    """Return the entries that rows are, and these rows, rising.

    Rows `offsets[g]:offsets[g + 1]` are of topic `topics[g]`, of none if that is below 0.
    """
    words, bounds = rows.tolist(), offsets.tolist()
    pairs = [
        (index[topic][words[row]], row)
        for topic, (start, end) in zip(topics.tolist(), pairwise(bounds), strict=True)
        if topic >= 0
        for row in range(start, end)
        if words[row] in index[topic]
    ]
    found, at = np.array(pairs, np.int64).reshape(-1, 2).T
    return found, at
