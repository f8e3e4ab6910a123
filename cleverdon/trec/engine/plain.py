"""What `lines.c` does, in plain Python: the reference, and the reader where nothing compiles."""

import re
from itertools import pairwise
from operator import eq

import numpy as np

from cleverdon.trec.arrays import Bytes, Floats, Hashes, Integers, Mask
from cleverdon.trec.engine.fields import (
    ANY_CHARACTERS,
    BLANK_LINES,
    COMMENTS,
    MORE_COLUMNS,
    NOT_READ,
    READ,
    Fields,
    LineBlock,
    Rows,
    Wanted,
)

_FIELD, _CONTROLS = re.compile(rb"[^ \t\r\v\f]+"), re.compile(rb"[\x01-\x08\x0e-\x1f]")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
# No more digits: Python refuses thousands.
_WHOLE = re.compile(rb"[+-]?0*[0-9]{1,19}")
_MARK = b"\xef\xbb\xbf"
_WORD, _MULTIPLIER, _FINISHER = 2**64, 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F


def split(block: LineBlock, wanted: Wanted) -> Rows | None:
    """Split lines into columns.

    None if some line is not one that everybody reads alike: too long, with another number of
    columns, a character that may not be there or a byte order mark.
    """
    n, allowed, most = wanted
    at, text = block.start, block.content[block.start : block.end].tobytes()
    starts: list[list[int]] = []
    ends: list[list[int]] = []
    numbers: list[int] = []
    for number, line in enumerate(text.split(b"\n")[:-1], block.first):
        found = [match.span() for match in _FIELD.finditer(line)]
        is_odd = line.startswith(_MARK) or len(line) >= most or b"\0" in line
        if is_odd or b"\r" in line.strip():
            return None
        is_comment = allowed & COMMENTS and line.lstrip().startswith(b"#")
        if not (is_comment or (not found and allowed & (BLANK_LINES | COMMENTS))):
            if len(found) < n or (len(found) > n and not allowed & MORE_COLUMNS):
                return None
            kept = line[found[0][0] : found[n - 1][1]]
            if not allowed & ANY_CHARACTERS and _CONTROLS.search(kept):
                return None
            starts.append([at + start for start, _ in found[:n]])
            ends.append([at + end for _, end in found[:n]])
            numbers.append(number)
        at += len(line) + 1
    begin, stop = (np.array(each, np.int64).reshape(-1, n).T for each in (starts, ends))
    return Rows(begin, stop, np.array(numbers, np.int64), not text.isascii())


def scores(of: Fields) -> tuple[Floats, Bytes]:
    """Return the numbers that Python's `float` reads in the fields, and a state of each."""
    words = of.tolist()
    are_read = [_NUMBER.fullmatch(word) is not None for word in words]
    values = [
        float(word) if is_read else 0.0 for word, is_read in zip(words, are_read, strict=True)
    ]
    states = np.where(np.array(are_read, np.bool_) & np.isfinite(values), READ, NOT_READ)
    return np.array(values, np.float64), states.astype(np.uint8)


def whole(of: Fields, below: int) -> tuple[Integers, Bytes]:
    """Return the whole numbers smaller than `below` in size, and a state of each field."""
    words = of.tolist()
    found = [_whole(word) if _WHOLE.fullmatch(word) else below for word in words]
    are_read = [abs(value) < below for value in found]
    values = [value if is_read else 0 for value, is_read in zip(found, are_read, strict=True)]
    states = np.where(np.array(are_read, np.bool_), READ, NOT_READ)
    return np.array(values, np.int64), states.astype(np.uint8)


def _whole(word: bytes) -> int:
    return int(b"-" * word.startswith(b"-") + (word.lstrip(b"+-").lstrip(b"0") or b"0"))


def hashes(of: Fields) -> Hashes:
    """Return a 32-bit hash of each field; equal ones prove nothing. The same in both readers."""
    known: dict[bytes, int] = {}
    words = of.tolist()
    for word in words:
        if word not in known:
            known[word] = _hash(word)
    return np.array([known[word] for word in words], np.uint32)


def _hash(word: bytes) -> int:
    total, factor = len(word), _MULTIPLIER
    for at in range(0, len(word), 8):
        total += int.from_bytes(word[at : at + 8], "little") * factor
        factor = factor * _MULTIPLIER % _WORD
    total %= _WORD
    total ^= total >> 29
    return (total * _FINISHER % _WORD) >> 32


def same(of: Fields, other: Fields) -> Mask:
    """Tell of each pair of fields whether they are equal."""
    return np.fromiter(map(eq, of.tolist(), other.tolist()), np.bool_, len(of))


def compact(of: Fields, content: Bytes) -> None:
    """Write the fields one after the other, a line end after each."""
    text = b"".join(word + b"\n" for word in of.tolist())
    content[: len(text)] = np.frombuffer(text, np.uint8)


def spans(of: Fields) -> Integers:
    """Return the first row of each group of equal fields that follow one another."""
    words = of.tolist()
    firsts = [row for row, word in enumerate(words) if row == 0 or word != words[row - 1]]
    return np.array(firsts, np.int64)


def distinct(of: Fields) -> Integers | None:
    """Return the first row of each field, in order; None if the reader cannot tell them quickly."""
    firsts: dict[bytes, int] = {}
    for row, word in enumerate(of.tolist()):
        firsts.setdefault(word, row)
    return np.array([*firsts.values()], np.int64)


def rank(
    of: Fields, values: Floats, offsets: Integers, order: Integers, *, single: bool, ascending: bool
) -> bool:
    """Rank each topic's rows, `order[offsets[t]:offsets[t + 1]]`, in place; tell if any moved.

    By value, the highest first, as single precision if so asked, then by docno, the last first
    unless `ascending`.
    """
    with np.errstate(over="ignore", under="ignore"):
        keys = values.astype(np.float32 if single else np.float64).tolist()
    words, before = of.tolist(), order.copy()
    for start, end in pairwise(offsets.tolist()):
        rows = order[start:end].tolist()
        rows.sort(key=words.__getitem__, reverse=not ascending)
        rows.sort(key=keys.__getitem__, reverse=True)
        order[start:end] = rows
    return bool((order != before).any())


def may_repeat(of: Fields, offsets: Integers, order: Integers) -> bool:
    """Tell whether a field may come twice in a topic; False only if none does."""
    words = of.tolist()
    for start, end in pairwise(offsets.tolist()):
        rows = order[start:end].tolist()
        if len({words[row] for row in rows}) < len(rows):
            return True
    return False


def index(entries: Fields, offsets: Integers) -> list[dict[bytes, int]]:
    """Return what `find` looks entries up by; those of topic t are `offsets[t]:offsets[t + 1]`."""
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
