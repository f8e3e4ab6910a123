"""Long runs a stretch at a time: what is made on the way stays in the processor's cache, and several threads can work."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Item = TypeVar("Item")
Result = TypeVar("Result")

N_LINES = 1 << 17
N_THREADS = min(4, os.cpu_count() or 1)
# Fewer pieces than that are not worth a second thread.
FEW = 6


def stretches(offsets: Integers, n_lines: int = N_LINES) -> list[tuple[int, int]]:
    """Divide topics into groups of about `n_lines` lines, as ranges of topics; topic t has the lines from `offsets[t]` on.

    >>> stretches(np.array([0, 80_000, 160_000, 200_000, 200_010]))
    [(0, 2), (2, 4)]
    """
    group = offsets[:-1] // n_lines
    edges = [0, *(np.flatnonzero(np.diff(group)) + 1).tolist(), len(group)]
    return [(first, last) for first, last in pairwise(edges) if first < last]


def of_whole_topics(topics: Integers) -> list[slice] | None:
    """Divide lines, whose topics are given by number, likewise; None when the lines of a topic are not together.

    >>> of_whole_topics(np.repeat([2, 0, 5], [80_000, 80_000, 40_000]))
    [slice(0, 160000, None), slice(160000, 200000, None)]
    """
    starts = topic_starts(topics)
    met = np.sort(topics[starts])
    if (met[1:] == met[:-1]).any():
        return None
    offsets = np.append(starts, len(topics))
    return [
        slice(*offsets[[first, last]].tolist()) for first, last in stretches(offsets)
    ]


def topic_starts(topics: Integers) -> Integers:
    """Return the lines that have another topic than the line before.

    >>> topic_starts(np.array([7, 7, 3, 7])).tolist()
    [0, 2, 3]
    """
    begins = np.ones(len(topics), dtype=np.bool_)
    begins[1:] = topics[1:] != topics[:-1]
    return np.flatnonzero(begins)


def at_once(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield what work makes of each item, in order; several at a time where there are many, for numpy lets other threads count."""
    rest = iter(items)
    first = list(islice(rest, FEW))
    if len(first) < FEW or N_THREADS == 1:
        yield from map(work, chain(first, rest))
        return
    with ThreadPoolExecutor(N_THREADS) as pool:
        yield from pool.map(work, chain(first, rest))
