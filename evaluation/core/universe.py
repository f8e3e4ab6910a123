"""The judged universe: the (topic, docno) pairs of the pool or the qrels, and the table of their grades."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.lookup import Table
from trec.arrays import Grades, Integers, Mask, ranges, smallest
from trec.docnos import Docnos
from trec.lazy import lazy
from trec.qrels import JudgedPairs


class Ideal(NamedTuple):
    """The pairs of a positive gain, the best first, topic after topic; each array has one element a pair."""

    topics: Integers
    ranks: Integers
    entries: Integers


class Subtopics(NamedTuple):
    """Which aspects of its topic each pair is relevant to: those of entry e are `numbers[offsets[e]:offsets[e + 1]]`.

    Aspects are numbered from 0 within a topic; `counts[t]` is how many topic t has.
    """

    offsets: Integers
    numbers: Integers
    counts: Integers


@dataclass(frozen=True, eq=False)
class Universe:
    """Pairs of topics and docnos: topics in byte order, docnos in byte order within a topic.

    The pairs ("entries") of topic t are `offsets[t]:offsets[t + 1]` of `docnos` and `grades`. A negative grade means pooled and not
    judged. The pairs alone decide where a run is placed: a universe `with_grades` keeps all placements valid, and a new
    judgment is one byte of `grades`.

    `opinions[a]` holds the grades of assessor a alone, -1 where they judged nothing; `strata` the stratum of the sample a
    pair was drawn from; `subtopics` the aspects. Each is there only for the measures that read it.
    """

    topics: tuple[str, ...]
    offsets: Integers
    docnos: Docnos
    grades: Grades
    opinions: Grades | None = None
    strata: Integers | None = None
    subtopics: Subtopics | None = None

    @classmethod
    def of(cls, pairs: JudgedPairs) -> Self:
        """Take the pairs of a qrels file."""
        return cls(pairs.topics, pairs.offsets, pairs.docnos, smallest(pairs.grades))

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, int]]) -> Self:
        """Take (topic, docno, grade) rows in any order; ValueError when a pair comes twice."""
        return cls.of(JudgedPairs.from_rows(rows))

    @classmethod
    def from_qrels(cls, qrels: Mapping[str, Mapping[str, int]]) -> Self:
        """Take grades by topic and docno."""
        return cls.from_rows(
            (topic, docno, grade)
            for topic, grades in qrels.items()
            for docno, grade in grades.items()
        )

    def with_grades(self, grades: ArrayLike) -> Self:
        """Return the same pairs with other grades, one for each entry."""
        return replace(self, grades=smallest(np.asarray(grades)))

    def of_topics(self, topics: Integers) -> Self:
        """Return the part of some topics, by their index, rising."""
        at, offsets = ranges(self.offsets[topics], self.offsets[topics + 1])
        names = tuple(self.topics[topic] for topic in topics.tolist())
        return type(self)(names, offsets, self.docnos.take(at), self.grades[at])

    def within(self, kept: Mask) -> Self:
        """Return the part that has only these entries; a topic without one is left out."""
        counts = np.bincount(self.topic_of[kept], minlength=self.n_topics)
        left = np.flatnonzero(counts)
        return type(self)(
            tuple(self.topics[topic] for topic in left.tolist()),
            np.concatenate([[0], np.cumsum(counts[left])]),
            self.docnos.take(np.flatnonzero(kept)),
            self.grades[kept],
        )

    @property
    def n_topics(self) -> int:
        return len(self.topics)

    @lazy
    def topic_of(self) -> Integers:
        """The topic's index, for each entry."""
        return np.repeat(np.arange(self.n_topics), np.diff(self.offsets))

    @lazy
    def table(self) -> Table:
        """Where to look an entry up by its topic and docno."""
        return Table.of(self.topic_of, self.docnos.hashes)

    def count(self, entries: Mask) -> Integers:
        """Return how many entries of each topic the mask has."""
        return np.bincount(self.topic_of[entries], minlength=self.n_topics)

    def n_at_least(self, grade: int) -> Integers:
        """Return how many entries of each topic have this grade or a higher one."""
        if grade not in self._counts:
            self._counts[grade] = self.count(self.grades >= grade)
        return self._counts[grade]

    @lazy
    def _counts(self) -> dict[int, Integers]:
        return {}

    @lazy
    def best_grades(self) -> Integers:
        """The highest grade of each topic, at least 0."""
        best = np.zeros(self.n_topics, dtype=np.int64)
        np.maximum.at(best, self.topic_of, self.grades.astype(np.int64))
        return best

    @lazy
    def ideal(self) -> Ideal:
        """The best possible ranking by grade, whatever a run retrieved; grades above 0 only."""
        return self.ideal_by(self.grades)

    def ideal_by(self, gains: ArrayLike) -> Ideal:
        """Return the best possible ranking by any gain of the entries; gains above 0 only."""
        gains = np.asarray(gains)
        gained = np.flatnonzero(gains > 0)
        order = gained[np.lexsort((-gains[gained], self.topic_of[gained]))]
        topics = self.topic_of[order]
        firsts = np.searchsorted(topics, np.arange(self.n_topics))
        return Ideal(topics, np.arange(1, len(order) + 1) - firsts[topics], order)
