"""What a pool is made of: sizes and contributions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pooling.core.strategies import Pool

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PoolSizes:
    """Documents to judge at every depth: `by_topic[t, k - 1]` for depth k and `topics[t]`, `total[k - 1]` for all topics."""

    topics: tuple[str, ...]
    by_topic: Integers

    @property
    def total(self) -> Integers:
        sizes: Integers = self.by_topic.sum(axis=0)
        return sizes

    @property
    def max_depth(self) -> int:
        return int(self.by_topic.shape[1])

    def at(self, depth: int) -> int:
        """Return the size of the whole pool at a depth from 1 to the deepest; ValueError for another."""
        if not 1 <= depth <= self.max_depth:
            raise ValueError(
                f"Sizes are known for depths 1 to {self.max_depth}, not {depth}."
            )
        return int(self.total[depth - 1])


def pool_sizes(pool: Pool, max_depth: int) -> PoolSizes:
    """Count, from the pool formed at `max_depth`, the documents at every depth down to it.

    ValueError when the pool is deeper than that.
    """
    topics = tuple(sorted(pool))
    new = np.zeros((len(topics), max_depth), dtype=np.int64)
    for row, topic in enumerate(topics):
        ranks = [entry.best_rank for entry in pool[topic]]
        if max(ranks, default=0) > max_depth:
            raise ValueError(f"The pool of topic {topic} is deeper than {max_depth}.")
        new[row] = np.bincount(ranks, minlength=max_depth + 1)[1:] if ranks else 0
    return PoolSizes(topics, np.cumsum(new, axis=1))


def judging_hours(n_documents: int, seconds_per_judgment: float) -> float:
    """Return the hours it takes one assessor after another to judge that many documents once."""
    return n_documents * seconds_per_judgment / 3600


class Share(NamedTuple):
    """What a run brought: pool entries it has within the depth, and those that no other run has."""

    tag: str
    n_contributed: int
    n_unique: int


def shares(pool: Pool, tags: Sequence[str]) -> list[Share]:
    """Return each run's part in the pool, in the order of `tags` (Zobel 1998: unique contributions)."""
    contributed, unique = dict.fromkeys(tags, 0), dict.fromkeys(tags, 0)
    for entries in pool.values():
        for entry in entries:
            for tag, _ in entry.contributions:
                contributed[tag] += 1
            if len(entry.contributions) == 1:
                unique[entry.contributions[0].tag] += 1
    return [Share(tag, contributed[tag], unique[tag]) for tag in tags]
