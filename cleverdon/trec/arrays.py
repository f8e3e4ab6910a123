"""Array types and idioms that every core shares. All arrays here are one-dimensional."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Grades = NDArray[np.signedinteger[Any]]
Hashes = NDArray[np.uint32]
Integers = NDArray[np.int64]
Ints = NDArray[np.int32]
Mask = NDArray[np.bool_]
Words = NDArray[np.uint64]

# Odd, with well mixed bits: 2**64 over the golden ratio, and xxHash's second multiplier.
MULTIPLIER, FINISHER = 0x9E3779B97F4A7C15, np.uint64(0xC2B2AE3D27D4EB4F)


def begins(*columns: NDArray[Any]) -> Mask:
    """Tell which rows start a group: the first, and each that differs from the row before.

    >>> begins(np.array([7, 7, 3, 7])).tolist()
    [True, False, True, True]
    """
    starts = np.zeros(len(columns[0]), dtype=np.bool_)
    starts[:1] = True
    for column in columns:
        starts[1:] |= column[1:] != column[:-1]
    return starts


def offsets_of(counts: NDArray[Any]) -> Integers:
    """Return where each of n consecutive groups begins, and the end of the last: shape [n + 1].

    >>> offsets_of(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def owners(counts: NDArray[Any]) -> Integers:
    """Return each row's group, of consecutive groups of these sizes: shape [sum of counts].

    >>> owners(np.array([2, 0, 3])).tolist()
    [0, 0, 2, 2, 2]
    """
    return np.repeat(np.arange(len(counts)), counts)


def ranges(starts: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """Return the integers `start..end - 1` of all ranges in turn, and the ranges' offsets.

    >>> ranges(np.array([5, 0]), np.array([7, 3]))
    (array([5, 6, 0, 1, 2]), array([0, 2, 5]))
    """
    counts = ends - starts
    offsets = offsets_of(counts)
    return np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], counts), offsets


def ratio(numerator: Floats | Integers, denominator: Floats | Integers) -> Floats:
    """Divide; 0 where the denominator is not positive."""
    zeros = np.zeros(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)))
    return np.divide(numerator, denominator, out=zeros, where=denominator > 0)


def smallest(values: NDArray[Any]) -> Grades:
    """Return integers in the smallest signed dtype that holds them all: int8 for most grades."""
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    return values.astype(np.min_scalar_type(min(low, -high - 1)))


def totals(groups: Integers, values: NDArray[Any], n_groups: int) -> Floats:
    """Add up the values of each of n groups, in the order given: float64, shape [n].

    >>> totals(np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0]), 3).tolist()
    [4.0, 0.0, 2.0]
    """
    # Without any value bincount returns integers.
    return np.bincount(groups, values, n_groups).astype(np.float64, copy=False)
