"""A sample of the pool drawn by strata: what is known of the rest of each stratum."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evaluation.core.universe import Universe
from trec.arrays import Floats, Integers, Mask, ratio, smallest
from trec.qrels import JudgedPairs
from trec.streams import FormatError

# More of them than that are no strata: the file's columns are not what they should be.
MOST_STRATA = 1_000


def stratified(pairs: JudgedPairs) -> Universe:
    """Return pairs with the stratum each is of, which is its label; strata are numbered in byte order of their names.

    A negative grade means that the pair was not sampled. ValueError when the pairs have no labels, and FormatError when there
    are more than MOST_STRATA of them.
    """
    if pairs.labels is None:
        raise ValueError("These qrels were read without their strata.")
    n_strata, numbers = pairs.labels.numbered()
    if n_strata > MOST_STRATA:
        raise FormatError(
            None,
            f"The fourth column has {n_strata:,} different values: they are not strata.",
        )
    grades = smallest(pairs.grades)
    return Universe(pairs.topics, pairs.offsets, pairs.docnos, grades, strata=numbers)


def strata_of(universe: Universe) -> Integers:
    """Return the stratum of each entry; ValueError when the universe has none."""
    if universe.strata is None:
        raise ValueError(
            "These qrels do not say which stratum of the sample a document is from."
        )
    return universe.strata


@dataclass(frozen=True, eq=False)
class Sample:
    """The strata of each topic, those of a topic in rising order: what is in them and how much of it was sampled.

    `of[e]` is the stratum that entry e is in, `topics` and `n_pooled` and `n_sampled` have one element a stratum of a topic.
    """

    of: Integers
    topics: Integers
    n_pooled: Integers
    n_sampled: Integers

    @classmethod
    def of_universe(cls, universe: Universe) -> Self:
        """Count a universe's entries; ValueError when it has no strata."""
        strata = strata_of(universe)
        width = int(strata.max(initial=0)) + 1
        keys, of = np.unique(universe.topic_of * width + strata, return_inverse=True)
        n_sampled = np.bincount(of[universe.grades >= 0], minlength=len(keys))
        return cls(of, keys // width, np.bincount(of, minlength=len(keys)), n_sampled)

    def estimated(self, sampled: Mask, n_topics: int) -> Floats:
        """Return how many documents of each topic's pool are expected to be like some of the sampled entries."""
        found = np.bincount(self.of[sampled], minlength=len(self.topics))
        # Multiplied before dividing, as sample_eval.pl does: the estimate may be rounded later.
        expected = ratio(found * self.n_pooled, self.n_sampled)
        sums = np.bincount(self.topics, expected, n_topics)
        return sums.astype(np.float64, copy=False)

    @property
    def weights(self) -> Floats:
        """How many documents of its stratum a sampled one stands for, per entry; 0 where none was sampled."""
        return ratio(self.n_pooled, self.n_sampled)[self.of]
