"""A sample of the pool drawn by strata: what is known of the rest of each stratum."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evaluation.core.universe import Universe
from trec.arrays import Floats, Integers, Mask, ratio, smallest, totals
from trec.qrels import JudgedPairs
from trec.streams import FormatError

# More than these are no strata: the file's columns are not what they should be.
MOST_STRATA = 1_000


@dataclass(frozen=True, eq=False)
class Strata:
    """The stratum each entry is of: int64, one number an entry, in byte order of the strata's names."""

    numbers: Integers

    def of_entries(self, entries: Integers, _: Integers) -> Self:
        """Return the part of these entries."""
        return type(self)(self.numbers[entries])


def stratified(pairs: JudgedPairs) -> Universe:
    """Return pairs with the stratum each is of, which is its label.

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
    return Universe(pairs.topics, pairs.offsets, pairs.docnos, grades, Strata(numbers))


def strata_of(universe: Universe) -> Integers:
    """Return the stratum of each entry; ValueError when the universe has none."""
    absent = "These qrels do not say which stratum of the sample a document is from."
    return universe.detailed(Strata, absent).numbers


@dataclass(frozen=True, eq=False)
class Sample:
    """The strata of each topic, topic after topic in rising order: what is in them and how much of it was sampled.

    `stratum_of[e]` is the row of entry e's stratum in `topics`, `n_pooled` and `n_sampled`, which have one element a stratum
    of a topic. All are int64.
    """

    stratum_of: Integers
    topics: Integers
    n_pooled: Integers
    n_sampled: Integers

    @classmethod
    def of(cls, universe: Universe) -> Self:
        """Count a universe's entries; ValueError when it has no strata."""
        strata = strata_of(universe)
        width = int(strata.max(initial=0)) + 1
        keys, rows = np.unique(universe.topic_of * width + strata, return_inverse=True)
        n_sampled = np.bincount(rows[universe.grades >= 0], minlength=len(keys))
        n_pooled = np.bincount(rows, minlength=len(keys))
        return cls(rows, keys // width, n_pooled, n_sampled)

    def estimated(self, sampled: Mask, n_topics: int) -> Floats:
        """Estimate, per topic, how many documents of the pool are like these sampled entries."""
        counts = np.bincount(self.stratum_of[sampled], minlength=len(self.topics))
        # Multiplied before dividing, as sample_eval.pl does: the estimate may be rounded later.
        expected = ratio(counts * self.n_pooled, self.n_sampled)
        return totals(self.topics, expected, n_topics)

    @property
    def weights(self) -> Floats:
        """How many documents of its stratum a sampled one stands for, per entry; 0 where none was sampled."""
        return ratio(self.n_pooled, self.n_sampled)[self.stratum_of]
