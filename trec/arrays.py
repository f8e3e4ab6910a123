"""The arrays of this package."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Grades = NDArray[np.signedinteger[Any]]


def smallest(values: NDArray[Any]) -> Grades:
    """Return whole numbers in the smallest signed type that holds them all: for grades, one byte each."""
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    return values.astype(np.min_scalar_type(min(low, -high - 1)))


def ratio(numerator: Floats | Integers, denominator: Floats | Integers) -> Floats:
    """Divide; 0 where there is nothing to divide by."""
    zeros = np.zeros(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)))
    return np.divide(numerator, denominator, out=zeros, where=denominator > 0)


def ranges(starts: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """Return all whole numbers from each start up to its end, one range after the other, and where each begins.

    >>> ranges(np.array([5, 0]), np.array([7, 3]))
    (array([5, 6, 0, 1, 2]), array([0, 2, 5]))
    """
    counts = ends - starts
    offsets = np.concatenate([[0], np.cumsum(counts)])
    return np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], counts), offsets
