"""Work on a few topics, or blocks of a file, at a time: in the cache, and in several threads."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np

from cleverdon.trec.arrays import Integers

Item = TypeVar("Item")
Result = TypeVar("Result")

# Lines of a run in one span.
N_LINES = 1 << 17
N_THREADS = min(4, os.cpu_count() or 1)
# Fewer items are not worth a second thread.
FEW = 6


def spans(offsets: Integers, n_lines: int = N_LINES) -> list[tuple[int, int]]:
    """Divide topics into spans of about `n_lines` lines, each as [first, last) topic.

    Topic t has the lines `offsets[t]:offsets[t + 1]`; none is divided.

    >>> spans(np.array([0, 80_000, 160_000, 200_000, 200_010]))
    [(0, 2), (2, 4)]
    """
    group = offsets[:-1] // n_lines
    edges = [0, *(np.flatnonzero(np.diff(group)) + 1).tolist(), len(group)]
    return [(first, last) for first, last in pairwise(edges) if first < last]


def at_once(work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """Yield `work(item)` in order; several at once if there are many, as numpy frees the lock."""
    if len(items) < FEW or N_THREADS == 1:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(N_THREADS) as pool:
        yield from pool.map(work, items)
