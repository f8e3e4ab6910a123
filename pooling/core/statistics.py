"""Statistics of a pool: its size at every depth, and what each run contributes."""

from collections import Counter
from dataclasses import dataclass
from itertools import chain

import numpy as np

from pooling.core.strategies import DocumentsByTopic
from trec.arrays import Integers


@dataclass(frozen=True, eq=False)
class PoolSizes:
    """Documents to judge at every depth.

    `by_topic[t, k - 1]` is the number for `topics[t]` at depth k, shape [topics, depths]; `total[k - 1]` that for all
    topics together, shape [depths].
    """

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


def pool_sizes(pool: DocumentsByTopic, max_depth: int) -> PoolSizes:
    """Count, in a pool formed at `max_depth`, the documents it would have at every depth from 1 to that.

    ValueError when the pool is deeper.
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
    """Return the hours that it takes to judge that many documents once."""
    return n_documents * seconds_per_judgment / 3600


def counts_by_run(pool: DocumentsByTopic) -> dict[str, tuple[int, int]]:
    """Count, by tag, the entries a run contributed, and those that no other run did (Zobel 1998).

    Runs that contributed nothing are left out.
    """
    contributed, unique = Counter[str](), Counter[str]()
    for entry in chain.from_iterable(pool.values()):
        entry_tags = [contribution.tag for contribution in entry.contributions]
        contributed.update(entry_tags)
        if len(entry_tags) == 1:
            unique.update(entry_tags)
    return {tag: (n, unique[tag]) for tag, n in contributed.items()}
