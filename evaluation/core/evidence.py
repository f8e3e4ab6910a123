"""What every measure reads: placements and grades, side by side."""

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from evaluation.core.arrays import Floats, Integers, Mask
from evaluation.core.placements import Placements, Universe

NO_CUTOFF = sys.maxsize


@dataclass(frozen=True, eq=False)
class Evidence:
    """The documents of a run down to a cutoff that are in the qrels: topic after topic, in rank order, with their grades.

    Arrays "per hit" have one element for each of them, arrays "per topic" one for each topic of the universe.
    A grade of `level` or above is relevant, one from 0 up to it is judged not relevant, a negative one is unjudged.
    """

    universe: Universe
    placements: Placements
    level: int
    cutoff: int = NO_CUTOFF

    @classmethod
    def of(
        cls,
        placements: Placements,
        universe: Universe,
        level: int,
        cutoff: int = NO_CUTOFF,
    ) -> Self:
        """Cut the run, then look; the qrels are not cut."""
        return cls(universe, placements.cut(cutoff), level, cutoff)

    @property
    def ranks(self) -> Integers:
        """The rank from 1, per hit."""
        return self.placements.ranks

    @property
    def n_retrieved(self) -> Integers:
        """The documents retrieved down to the cutoff, judged or not, per topic."""
        return self.placements.n_retrieved

    @cached_property
    def grades(self) -> Integers:
        """The grade, per hit."""
        return self.universe.grades[self.placements.entries]

    @cached_property
    def topics(self) -> Integers:
        """The topic's index, per hit."""
        return self.universe.topic_of[self.placements.entries]

    @cached_property
    def relevant(self) -> Mask:
        """Whether the document is relevant, per hit."""
        return self.grades >= self.level

    @cached_property
    def nonrelevant(self) -> Mask:
        """Whether the document is judged and not relevant, per hit."""
        return (self.grades >= 0) & ~self.relevant

    @cached_property
    def n_relevant(self) -> Integers:
        """R: the relevant documents known, retrieved or not, per topic."""
        return self.universe.count(self.universe.grades >= self.level)

    @cached_property
    def n_nonrelevant(self) -> Integers:
        """N: the documents judged not relevant, retrieved or not, per topic."""
        return self.universe.count(self.universe.grades >= 0) - self.n_relevant

    @cached_property
    def n_relevant_so_far(self) -> Integers:
        """The relevant documents of the topic down to this one, per hit."""
        return self.so_far(self.relevant)

    def so_far(self, hits: Mask) -> Integers:
        """Count, per hit, those of its topic down to it."""
        counts: Integers = np.concatenate([[0], np.cumsum(hits, dtype=np.int64)])
        return counts[1:] - counts[self.placements.offsets[self.topics]]

    def count(self, hits: Mask) -> Integers:
        """Count hits, per topic."""
        return np.bincount(self.topics[hits], minlength=len(self.universe.topics))

    def total(self, values: Floats, hits: Mask) -> Floats:
        """Add values up in rank order, per topic."""
        return sequential_sums(
            self.topics[hits], values[hits], len(self.universe.topics)
        )


def sequential_sums(topics: Integers, values: Floats, n_topics: int) -> Floats:
    """Add up the values of each topic one after the other, as the loops of trec_eval do, so that every bit is theirs."""
    sums = np.bincount(topics, weights=values, minlength=n_topics)
    return sums.astype(np.float64, copy=False)


def ratio(numerator: Floats | Integers, denominator: Floats | Integers) -> Floats:
    """Divide; 0 where there is nothing to divide by."""
    zeros = np.zeros(len(numerator))
    return np.divide(numerator, denominator, out=zeros, where=denominator > 0)
