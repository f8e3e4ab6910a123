"""How many documents are mixed in among those of a topic, at a share per hundred: it is rounded for each topic, and for short ones comes to none."""

from collections.abc import Collection
from typing import NamedTuple

# In a topic of fewer documents none comes again: it would be recognized.
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
    """Return how many of n documents come again.

    >>> n_repeats(20, 10), n_repeats(20, 9)
    (2, 0)
    """
    return n_of(percent, n) if n >= FEWEST else 0


class InPool(NamedTuple):
    """How many documents are mixed in among all topics of a pool, and in how many topics none is."""

    n: int
    n_without: int


class Share(NamedTuple):
    """What a share comes to: of topics with as many documents as the EXAMPLES, and in the pool, known ones at most."""

    percent: int
    examples: list[int]
    known: InPool
    repeats: InPool


def shares_of(percents: Collection[int], sizes: Collection[int]) -> list[Share]:
    """Return what usual shares, and these, come to; `sizes` are how many documents each topic of the pool has.

    >>> shares_of([], [8, 40])[1]
    Share(percent=5, examples=[0, 2, 5], known=InPool(n=2, n_without=1), repeats=InPool(n=2, n_without=1))
    """
    return [
        Share(
            percent,
            [n_of(percent, n) for n in EXAMPLES],
            _in_pool([n_of(percent, n) for n in sizes]),
            _in_pool([n_repeats(percent, n) for n in sizes]),
        )
        for percent in sorted({*SHARES, *percents} - {0})
    ]


def _in_pool(numbers: Collection[int]) -> InPool:
    return InPool(sum(numbers), sum(not n for n in numbers))
