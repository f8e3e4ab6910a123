"""The functions of `lines.c`, with the arrays that they read and write."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from cleverdon.trec.arrays import Bytes, Floats, Hashes, Integers, Mask, offsets_of
from cleverdon.trec.engine.build import library
from cleverdon.trec.engine.fields import Fields, LineBlock, Rows, Wanted


def load(path: Path) -> ctypes.CDLL | None:
    """Return the library, if it was built for this machine."""
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError:
        return None
    for name in ("split", "spans", "distinct", "rank", "repeat", "index", "find"):
        getattr(loaded, f"lines_{name}").restype = ctypes.c_int64
    return loaded


LIBRARY = load(library())
USES_HASHES = True


class _Fields(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_void_p) for name in ("text", "starts", "ends", "hashes"))


def _call(name: str, *arguments: object) -> int:
    """Call a function of the library with numbers, arrays and fields."""
    keep: list[object] = []  # what the library reads lives until it returns
    result: int = getattr(LIBRARY, f"lines_{name}")(*(_told(each, keep) for each in arguments))
    return result


def _told(argument: object, keep: list[object]) -> Any:
    if isinstance(argument, np.ndarray):
        return ctypes.c_void_p(argument.ctypes.data)
    if isinstance(argument, Fields):
        arrays = [
            _array(argument.content, np.uint8),
            *map(_array, (argument.starts, argument.ends)),
        ]
        if argument.known_hashes is not None:
            arrays.append(_array(argument.known_hashes, np.uint32))
        keep += arrays
        fields = _Fields(*(each.ctypes.data for each in arrays))
        keep.append(fields)
        return ctypes.byref(fields)
    return ctypes.c_int64(int(argument))  # type: ignore[call-overload]


def _array(values: NDArray[Any], dtype: DTypeLike = np.int64) -> NDArray[Any]:
    return np.ascontiguousarray(values, dtype)


def split(block: LineBlock, wanted: Wanted) -> Rows | None:
    n, n_lines = wanted.n_columns, block.n_lines
    starts, ends = np.empty((2, n, n_lines), np.int32)
    numbers, has_high = np.empty(n_lines, np.int64), np.zeros(1, np.uint8)
    of = _array(block.content, np.uint8), block.start, block.end, block.first, n_lines, *wanted
    n_rows = _call("split", *of, starts, ends, numbers, has_high)
    if n_rows < 0:
        return None
    return Rows(starts[:, :n_rows], ends[:, :n_rows], numbers[:n_rows], bool(has_high[0]))


# What became of a number: read; no number; to be read by Python's own `float`.
READ, _, SLOWLY = range(3)


def scores(of: Fields) -> tuple[Floats, Mask]:
    values, states = np.empty(len(of), np.float64), np.empty(len(of), np.uint8)
    _call("scores", of, len(of), values, states)
    for row in np.flatnonzero(states == SLOWLY).tolist():
        values[row] = float(of[row])
        states[row] = READ if np.isfinite(values[row]) else SLOWLY
    are_read = states == READ
    values[~are_read] = 0
    return values, are_read


def whole(of: Fields, below: int) -> tuple[Integers, Mask]:
    values, states = np.empty(len(of), np.int64), np.empty(len(of), np.uint8)
    _call("whole", of, len(of), below, values, states)
    return values, states == READ


def hashes(of: Fields) -> Hashes:
    found = np.empty(len(of), np.uint32)
    _call("hash", of, len(of), found)
    return found


def compact(of: Fields, content: Bytes) -> None:
    _call("compact", of, len(of), content)


def spans(of: Fields) -> Integers:
    firsts = np.empty(len(of), np.int64)
    return firsts[: _call("spans", of, len(of), firsts)].copy()


def distinct(of: Fields) -> tuple[Integers, Integers] | None:
    slots, (firsts, numbers) = np.zeros(2 * len(of) + 1, np.int64), np.empty((2, len(of)), np.int64)
    n = _call("distinct", of, len(of), len(slots), slots, firsts, numbers)
    return None if n < 0 else (firsts[:n], numbers)


def rank(
    of: Fields, values: Floats, offsets: Integers, order: Integers, *, single: bool, ascending: bool
) -> bool:
    how = _array(values, np.float64), single, ascending, _array(offsets), len(offsets) - 1
    moved = _call("rank", of, *how, order)
    if moved < 0:
        raise MemoryError
    return bool(moved)


def may_repeat(of: Fields, offsets: Integers, order: Integers) -> bool:
    repeats = _call("repeat", of, _array(offsets), len(offsets) - 1, _array(order))
    if repeats < 0:
        raise MemoryError
    return bool(repeats)


# Slots for each entry: most rows that are no entry meet a free one.
SPREAD = 4


def index(entries: Fields, offsets: Integers) -> tuple[Integers, Integers] | None:
    bounds = offsets_of(SPREAD * np.diff(offsets) + 1)
    slots = np.zeros(int(bounds[-1]), np.int64)
    of = _array(entries.known_hashes, np.uint32), _array(offsets), len(offsets) - 1  # type: ignore[arg-type]
    is_full = _call("index", *of, bounds, slots) < 0
    return None if is_full else (bounds, slots)


def find(
    entries: Fields,
    index: tuple[Integers, Integers],
    rows: Fields,
    offsets: Integers,
    topics: Integers,
) -> tuple[Integers, Integers] | None:
    found, at = np.empty((2, int(offsets[-1] - offsets[0])), np.int64)
    of = entries, *index, rows, _array(offsets), _array(topics)
    n = _call("find", *of, len(topics), found, at)
    return None if n < 0 else (found[:n], at[:n])
