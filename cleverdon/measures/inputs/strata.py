"""A sample of the pool, drawn by strata, and estimates for the rest of each stratum."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import Floats, Integers, Mask, ratio, smallest, totals
from cleverdon.trec.qrels import JudgedPairs
from cleverdon.trec.streams import FormatError

# A file with more has something else in that column.
MOST_STRATA = 1_000


@dataclass(frozen=True, eq=False)
class Strata:
    """The stratum of each entry, int64, numbered in byte order of the strata's names."""

    numbers: Integers

    def of_entries(self, entries: Integers, _: Integers) -> Self:
        """Return the strata of these entries alone."""
        return type(self)(self.numbers[entries])

    def apart(self, entries: Mask) -> Self:
        """Return the strata with these entries in one of their own."""
        return type(self)(np.where(entries, self.numbers.max(initial=-1) + 1, self.numbers))


def stratified(pairs: JudgedPairs) -> Universe:
    """Return the pairs with their strata, which are their labels.

    A negative grade means that the pair was not sampled. ValueError when the pairs have no labels;
    FormatError when there are more than MOST_STRATA different ones.
    """
    if pairs.labels is None:
        raise ValueError("These qrels were read without their strata.")
    strata, numbers = pairs.labels.numbered()
    if len(strata) > MOST_STRATA:
        raise FormatError(
            None, f"The fourth column has {len(strata):,} different values: they are not strata."
        )
    grades = smallest(pairs.grades)
    return Universe(pairs.topics, pairs.offsets, pairs.docnos, grades, Strata(numbers))


def strata_of(universe: Universe) -> Integers:
    """Return the stratum of each entry; ValueError when the universe has none."""
    absent = "These qrels do not say which stratum of the sample a document is from."
    return universe.detailed(Strata, absent).numbers


@dataclass(frozen=True, eq=False)
class Sample:
    """The strata of each topic: the documents each has, and those sampled.

    `topics`, `n_pooled` and `n_sampled` have one element for each stratum of each topic;
    `stratum_of[e]` is the row of entry e's stratum in them. All are int64.
    """

    stratum_of: Integers
    topics: Integers
    n_pooled: Integers
    n_sampled: Integers

    @classmethod
    def of(cls, universe: Universe) -> Self:
        """Count the entries of a universe; ValueError when it has no strata."""
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
        """The documents that a sampled one of the stratum counts for, per entry; 0 without one."""
        return ratio(self.n_pooled, self.n_sampled)[self.stratum_of]
