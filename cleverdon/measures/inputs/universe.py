"""The judged universe: the (topic, docno) pairs of the pool or the qrels, and their grades."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from cleverdon.trec.arrays import Grades, Integers, Mask, offsets_of, owners, ranges, smallest
from cleverdon.trec.docnos import Docnos, Lookup
from cleverdon.trec.lazy import lazy
from cleverdon.trec.qrels import JudgedPairs

NOT_JUDGED = -1


class Detail(Protocol):
    """What some judgments hold besides one grade for each entry."""

    def of_entries(self, entries: Integers, offsets: Integers) -> Self:
        """Return the part for these entries, rising indices; `offsets` are its topics'."""


DetailKind = TypeVar("DetailKind")


class DocumentsByTopic(Protocol):
    """A run, judgments or a universe: topic t has `docnos[offsets[t]:offsets[t + 1]]`."""

    @property
    def topics(self) -> tuple[str, ...]: ...
    @property
    def offsets(self) -> Integers: ...
    @property
    def docnos(self) -> Docnos: ...


class Ideal(NamedTuple):
    """Entries with a gain, best first, of topic t `offsets[t]:offsets[t + 1]`; all int64."""

    topics: Integers
    ranks: Integers
    entries: Integers
    offsets: Integers


@dataclass(frozen=True, eq=False)
class Universe:
    """Pairs of topics and docnos ("entries"): topics in byte order, and docnos within a topic.

    The entries of topic t are `offsets[t]:offsets[t + 1]` (int64, [n_topics + 1]) of `docnos` and
    `grades` (the smallest signed integers that hold them). A negative grade means pooled and not
    judged. Placements depend on the pairs alone, so they stay valid for a universe `with_grades`.

    `detail` is for measures that read more than a grade: GradesByAssessor, Strata, Subtopics or
    PreferenceDetail.
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

    def entries_of(self, pairs: "JudgedPairs | Universe") -> Mask:
        """Return which entries a qrels file has a grade for, be it a negative one.

        ValueError for a pair that is not in the universe.
        """
        entries, rows = self.look_up(pairs)
        if len(rows) < len(pairs.grades):
            unknown = int(np.setdiff1d(np.arange(len(pairs.grades)), rows)[0])
            topic = np.searchsorted(pairs.offsets, unknown, side="right") - 1
            docno = pairs.docnos[unknown].decode(errors="replace")
            raise ValueError(f"Document {docno} of topic {pairs.topics[topic]} is not in the pool.")
        is_entry = np.zeros(len(self.grades), dtype=np.bool_)
        is_entry[entries] = True
        return is_entry

    def numbers_of(self, topics: Sequence[str]) -> Integers:
        """Return the indices of topics, -1 for one that is not in the universe."""
        index = {topic: number for number, topic in enumerate(self.topics)}
        return np.array([index.get(topic, -1) for topic in topics], dtype=np.int64)

    def look_up(self, documents: DocumentsByTopic) -> tuple[Integers, Integers]:
        """Return the entries that some of the documents are, and the rows of these."""
        numbers = self.numbers_of(documents.topics)
        return self.lookup.find(documents.docnos, documents.offsets, numbers)

    def of_topics(self, topics: Integers) -> Self:
        """Return the part for some topics, rising indices."""
        entries, offsets = ranges(self.offsets[topics], self.offsets[topics + 1])
        return self._part(topics, offsets, entries)

    def within(self, kept: Mask) -> Self:
        """Return the part with only these entries; a topic without any is left out."""
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

    def detailed(self, kind: type[DetailKind], absent: str) -> DetailKind:
        """Return the detail; ValueError with the sentence `absent` when it is not of this kind."""
        if not isinstance(self.detail, kind):
            raise ValueError(absent)  # noqa: TRY004 - the judgments are of another kind
        return self.detail

    @property
    def n_topics(self) -> int:
        return len(self.topics)

    @lazy
    def topic_of(self) -> Integers:
        """The topic's index, for each entry."""
        return owners(np.diff(self.offsets))

    @lazy
    def lookup(self) -> Lookup:
        """Where to look an entry up by its topic and docno."""
        return Lookup(self.docnos, self.offsets)

    def count(self, entries: Mask) -> Integers:
        """Count the entries of the mask in each topic."""
        return np.bincount(self.topic_of[entries], minlength=self.n_topics)

    def n_at_least(self, grade: int) -> Integers:
        """Count the entries with this grade or a higher one in each topic."""
        if grade not in self._counts:
            self._counts[grade] = self.count(self.grades >= grade)
        return self._counts[grade]

    @lazy
    def _counts(self) -> dict[int, Integers]:
        return {}

    @lazy
    def ideal(self) -> Ideal:
        """The best possible ranking by grade, of the entries with a grade above 0."""
        return self.ideal_by(self.grades)

    def ideal_by(self, gains: ArrayLike) -> Ideal:
        """Return the best possible ranking by these gains, of the entries with a gain above 0."""
        gains = np.asarray(gains)
        gained = np.flatnonzero(gains > 0)
        order = gained[np.lexsort((-gains[gained], self.topic_of[gained]))]
        topics = self.topic_of[order]
        offsets = offsets_of(np.bincount(topics, minlength=self.n_topics))
        ranks = np.arange(1, len(order) + 1) - offsets[topics]
        return Ideal(topics, ranks, order, offsets)
