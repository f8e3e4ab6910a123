"""How many controls a share per hundred gives; it is rounded for each topic."""

from collections.abc import Collection
from typing import NamedTuple

# Documents of a topic; in a shorter one a repeat would be recognized.
FEWEST = 10
EXAMPLES = (8, 40, 100)  # documents of a topic
SHARES = (2, 5, 10, 20)


def n_of(percent: int, n: int) -> int:
    """Return a share of n documents, rounded to the nearest number, a half up.

    >>> n_of(5, 100), n_of(5, 10), n_of(5, 9), n_of(0, 100)
    (5, 1, 0, 0)
    """
    return (n * percent + 50) // 100


def n_repeats(percent: int, n: int) -> int:
    """Return how many of n documents are repeated.

    >>> n_repeats(20, 10), n_repeats(20, 9)
    (2, 0)
    """
    return n_of(percent, n) if n >= FEWEST else 0


class InPool(NamedTuple):
    """How many documents are mixed in over all topics of a pool, and how many topics get none."""

    n: int
    n_without: int


class ControlShare(NamedTuple):
    """What a share gives for topics of the sizes in EXAMPLES, and in the pool."""

    percent: int
    examples: list[int]
    known: InPool
    repeats: InPool


def shares_of(percents: Collection[int], sizes: Collection[int]) -> list[ControlShare]:
    """Return what the usual and the given shares give for a pool whose topics have these sizes.

    >>> share = shares_of([], [8, 40])[1]
    >>> share.percent, share.examples, share.known
    (5, [0, 2, 5], InPool(n=2, n_without=1))
    """
    return [
        ControlShare(
            percent,
            [n_of(percent, n) for n in EXAMPLES],
            _in_pool([n_of(percent, n) for n in sizes]),
            _in_pool([n_repeats(percent, n) for n in sizes]),
        )
        for percent in sorted({*SHARES, *percents} - {0})
    ]


def _in_pool(numbers: Collection[int]) -> InPool:
    return InPool(sum(numbers), sum(not n for n in numbers))
