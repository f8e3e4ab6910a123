"""What every measure reads: placements and grades."""

import math
import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self, TypeVar

import numpy as np

from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import Floats, Grades, Integers, Ints, Mask, offsets_of, totals
from cleverdon.trec.lazy import lazy
from cleverdon.trec.ranking import DEFAULT_RULES

NO_CUTOFF = sys.maxsize

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Hits:
    """Documents `chosen` from `others`, ranking after ranking, in rank order.

    Arrays have one element for each document, and are gathered when they are first used: its
    ranking, its rank from 1, its entry in the universe, its grade.
    """

    universe: Universe
    others: "Placements | Hits"
    chosen: Integers | slice

    @property
    def n_rankings(self) -> int:
        return self.others.n_rankings

    @lazy
    def rankings(self) -> Integers:
        return self.others.rankings[self.chosen]

    @lazy
    def ranks(self) -> Ints:
        return self.others.ranks[self.chosen]

    @lazy
    def entries(self) -> Ints:
        return self.others.entries[self.chosen]

    @lazy
    def grades(self) -> Grades:
        if isinstance(self.others, Hits):
            return self.others.grades[self.chosen]
        return self.universe.grades[self.entries]

    def __len__(self) -> int:
        return len(self.ranks)

    def where(self, kept: Mask | Integers) -> Self:
        """Return those of a mask, or of rising indices."""
        if kept.dtype == np.bool_:
            kept = np.flatnonzero(kept)
        return type(self)(self.universe, self, kept.astype(np.int64, copy=False))

    def down_to(self, cutoff: int) -> Self:
        return self.where(self.ranks <= cutoff)

    @lazy
    def offsets(self) -> Integers:
        """Where each ranking begins, and the end of the last, [n_rankings + 1]."""
        if isinstance(self.chosen, slice):
            return self.others.offsets
        return np.searchsorted(self.chosen, self.others.offsets)

    def count(self) -> Integers:
        return np.diff(self.offsets)

    def total(self, values: Floats) -> Floats:
        """Sum the documents' values, per ranking, in rank order: the order changes the last bit."""
        return totals(self.rankings, values, self.n_rankings)

    @lazy
    def ordinals(self) -> Integers:
        """The position of each among these documents of its ranking, from 1."""
        return np.arange(1, len(self) + 1) - self.offsets[self.rankings]

    @lazy
    def precisions(self) -> Floats:
        """The share of these documents among all down to the rank of each."""
        return self.ordinals / self.ranks


@dataclass(frozen=True, eq=False)
class Evidence:
    """Rankings of a universe's topics at a level, down to a cutoff: the argument of every formula.

    Arrays "per ranking" have one element for each, run after run, topics in the universe's order. A
    grade of `level` or above is relevant, one from 0 up to it is judged not relevant, a negative
    one is pooled and unjudged. `n_documents` is the size of the collection, 0 where it is not
    known; with `judged_only` unjudged documents were taken out of the rankings. `uncut` is the same
    evidence without the cutoff.
    """

    universe: Universe
    placements: Placements
    level: int = 1
    rules: str = DEFAULT_RULES
    n_documents: int = 0
    cutoff: int = NO_CUTOFF
    judged_only: bool = False
    uncut: "Evidence | None" = None

    def down_to(self, cutoff: int) -> "Evidence":
        """Return the same cut after a rank; the qrels are not cut."""
        return replace(self, cutoff=cutoff, uncut=self)

    @property
    def n_rankings(self) -> int:
        return self.placements.n_rankings

    @lazy
    def topics(self) -> Integers:
        """The topic's index, per ranking."""
        numbers = np.arange(self.universe.n_topics)
        return np.tile(numbers, self.n_rankings // max(1, self.universe.n_topics))

    @lazy
    def hits(self) -> Hits:
        """The documents of the universe that were retrieved."""
        if self.uncut is not None:
            return self.uncut.hits.down_to(self.cutoff)
        return Hits(self.universe, self.placements, slice(None))

    @lazy
    def relevant(self) -> Hits:
        """The relevant documents retrieved."""
        if self.uncut is not None:
            relevant = self.uncut.relevant
            is_cut = self.cutoff < self.deepest
            return relevant.down_to(self.cutoff) if is_cut else relevant
        return self.hits.where(self.is_relevant)

    @lazy
    def gained(self) -> Hits:
        """The documents retrieved whose grade is above 0, whatever the level."""
        if self.uncut is not None:
            return self.uncut.gained.down_to(self.cutoff)
        if self.level == 1:
            return self.relevant
        return self.hits.where(self.hits.grades > 0)

    @lazy
    def is_relevant(self) -> Mask:
        """Whether each hit is relevant."""
        return self.hits.grades >= self.level

    @lazy
    def is_judged(self) -> Mask:
        """Whether each hit is judged."""
        return self.hits.grades >= 0

    @lazy
    def deepest(self) -> int:
        """The length of the longest ranking."""
        if self.uncut is not None:
            return self.uncut.deepest
        return int(self.placements.n_retrieved.max(initial=0))

    @lazy
    def n_retrieved(self) -> Integers:
        """Documents retrieved down to the cutoff, judged or not, per ranking."""
        return np.minimum(self.placements.n_retrieved.astype(np.int64), self.cutoff)

    @lazy
    def n_relevant(self) -> Integers:
        """R: relevant documents known, retrieved or not, per ranking."""
        return self.universe.n_at_least(self.level)[self.topics]

    @lazy
    def n_nonrelevant(self) -> Integers:
        """N: documents judged not relevant, retrieved or not, per ranking."""
        return self.universe.n_at_least(0)[self.topics] - self.n_relevant

    @lazy
    def n_judged_retrieved(self) -> Integers:
        """Judged documents retrieved, per ranking."""
        return np.bincount(self.hits.rankings[self.is_judged], minlength=self.n_rankings)

    def once(self, key: Hashable, compute: Callable[[], Result]) -> Result:
        """Return a result that several measures share, computed at the first call with this key."""
        if key not in self._results:
            self._results[key] = compute()
        result: Result = self._results[key]
        return result

    @lazy
    def _results(self) -> dict[Hashable, Any]:
        return {}

    def above_relevant(self, hits: Mask) -> Integers:
        """Count, for each relevant document retrieved, the chosen hits above it in its ranking."""
        indices = np.flatnonzero(self.is_relevant)
        starts = self.hits.offsets[self.relevant.rankings]
        counts = offsets_of(hits)
        above: Integers = counts[indices] - counts[starts]
        return above

    @lazy
    def nonrelevant_above(self) -> Integers:
        """The number of documents judged not relevant above each relevant document retrieved."""
        above: Integers = self.above_relevant(self.is_judged)
        return above - (self.relevant.ordinals - 1)

    def of_topics(self, values: Floats) -> Floats:
        """Return the values of topics, [n_topics], for each ranking."""
        return values[self.topics]


@lru_cache
def logarithms(bits: int) -> Floats:
    """Return the binary logarithm of every whole number below 2 ** bits, that of 0 as 0."""
    # math.log2 is the C library's, whose last bit numpy's own vector log2 may miss.
    return np.array([0.0, *(math.log2(number) for number in range(1, 2**bits))])


def log2(numbers: Integers) -> Floats:
    """Return binary logarithms of positive whole numbers, equal to the C library's in every bit."""
    return logarithms(max(10, int(numbers.max(initial=1)).bit_length()))[numbers]
