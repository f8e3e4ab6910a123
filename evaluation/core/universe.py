"""The judged universe: the (topic, docno) pairs of the pool or the qrels, and the table of their grades."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.lookup import PairIndex
from trec.arrays import Grades, Integers, Mask, offsets_of, owners, ranges, smallest
from trec.docnos import Docnos, same
from trec.lazy import lazy
from trec.qrels import JudgedPairs

NOT_JUDGED = -1


class Detail(Protocol):
    """What some judgments say of their entries beside one grade each."""

    def of_entries(self, entries: Integers, offsets: Integers) -> Self:
        """Return the part of these entries, indices in rising order; `offsets` are those of its topics in it."""


Kind = TypeVar("Kind")


class Ideal(NamedTuple):
    """The entries of a positive gain, the best first: those of topic t are `offsets[t]:offsets[t + 1]`; all int64."""

    topics: Integers
    ranks: Integers
    entries: Integers
    offsets: Integers


@dataclass(frozen=True, eq=False)
class Universe:
    """Pairs of topics and docnos ("entries"): topics in byte order, docnos in byte order within a topic.

    The entries of topic t are `offsets[t]:offsets[t + 1]` (int64, [n_topics + 1]) of `docnos` and `grades` (the smallest
    signed integers that hold them). A negative grade means pooled and not judged. Where a run is placed depends on the pairs
    alone, so a universe `with_grades` keeps all placements valid.

    `detail` is for the measures that read more than a grade: GradesByAssessor, Strata, Subtopics or PreferenceDetail.
    """

    topics: tuple[str, ...]
    offsets: Integers
    docnos: Docnos
    grades: Grades
    detail: Detail | None = None

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

    def grades_of(self, pairs: JudgedPairs) -> Integers:
        """Return the grade that the pairs of a qrels file give each entry, NOT_JUDGED where they have none.

        ValueError for a pair that is not in the universe.
        """
        index = {topic: number for number, topic in enumerate(self.topics)}
        topics = np.array([index.get(topic, -1) for topic in pairs.topics], np.int64)
        entries, rows = self.index.look_up(
            np.repeat(topics, np.diff(pairs.offsets)), pairs.docnos.hashes
        )
        equal = same(self.docnos.take(entries), pairs.docnos.take(rows))
        entries, rows = entries[equal], rows[equal]
        if len(rows) < len(pairs.grades):
            unknown = int(np.setdiff1d(np.arange(len(pairs.grades)), rows)[0])
            topic = np.searchsorted(pairs.offsets, unknown, side="right") - 1
            docno = pairs.docnos[unknown].decode(errors="replace")
            raise ValueError(
                f"Document {docno} of topic {pairs.topics[topic]} is not in the pool."
            )
        grades = np.full(len(self.grades), NOT_JUDGED, dtype=np.int64)
        grades[entries] = pairs.grades[rows]
        return grades

    def of_topics(self, topics: Integers) -> Self:
        """Return the part of some topics, by index in rising order."""
        entries, offsets = ranges(self.offsets[topics], self.offsets[topics + 1])
        return self._part(topics, offsets, entries)

    def within(self, kept: Mask) -> Self:
        """Return the part that has only these entries; a topic without one is left out."""
        counts = self.count(kept)
        topics = np.flatnonzero(counts)
        return self._part(topics, offsets_of(counts[topics]), np.flatnonzero(kept))

    def _part(self, topics: Integers, offsets: Integers, entries: Integers) -> Self:
        return type(self)(
            tuple(self.topics[topic] for topic in topics.tolist()),
            offsets,
            self.docnos.take(entries),
            self.grades[entries],
            self.detail and self.detail.of_entries(entries, offsets),
        )

    def detailed(self, kind: type[Kind], absent: str) -> Kind:
        """Return the detail; ValueError with the sentence `absent` when it is not of this kind."""
        if not isinstance(self.detail, kind):
            raise ValueError(absent)  # noqa: TRY004 - the judgments are of another kind, not the code
        return self.detail

    @property
    def n_topics(self) -> int:
        return len(self.topics)

    @lazy
    def topic_of(self) -> Integers:
        """The topic's index, for each entry."""
        return owners(np.diff(self.offsets))

    @lazy
    def index(self) -> PairIndex:
        """Where to look an entry up by its topic and docno."""
        return PairIndex.of(self.topic_of, self.docnos.hashes)

    def count(self, entries: Mask) -> Integers:
        """Count the entries of each topic that the mask has."""
        return np.bincount(self.topic_of[entries], minlength=self.n_topics)

    def n_at_least(self, grade: int) -> Integers:
        """Count the entries of each topic with this grade or a higher one."""
        if grade not in self._counts:
            self._counts[grade] = self.count(self.grades >= grade)
        return self._counts[grade]

    @lazy
    def _counts(self) -> dict[int, Integers]:
        return {}

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
        offsets = offsets_of(np.bincount(topics, minlength=self.n_topics))
        ranks = np.arange(1, len(order) + 1) - offsets[topics]
        return Ideal(topics, ranks, order, offsets)
