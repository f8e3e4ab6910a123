"""Where a run has the judged documents: all that a measure needs to know of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import NamedTuple, Self

import numpy as np

from campaigns.core.runs import RankedRun
from evaluation.core.arrays import Integers, Mask


class Ideal(NamedTuple):
    """The documents graded above 0, best first, topic after topic; each array has one element a document."""

    topics: Integers
    ranks: Integers
    grades: Integers


@dataclass(frozen=True, eq=False)
class Universe:
    """The (topic, docno) pairs of a qrels file and their grades: topics in byte order, docnos too within a topic.

    `entries[t]` gives for each docno of `topics[t]` its place in `grades`; those of topic t are
    `grades[offsets[t]:offsets[t + 1]]`. A negative grade means pooled but not judged, as in trec_eval.
    The pairs alone decide where a run is placed: `dataclasses.replace(universe, grades=…)` keeps placements valid.
    """

    topics: tuple[str, ...]
    offsets: Integers
    entries: tuple[Mapping[bytes, int], ...]
    grades: Integers

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, int]]) -> Self:
        """Take (topic, docno, grade) rows in any order; ValueError when a pair comes twice."""
        by_topic: dict[str, dict[str, int]] = {}
        for topic, docno, grade in rows:
            if docno in by_topic.setdefault(topic, {}):
                raise ValueError(f"Document {docno} is judged twice for topic {topic}.")
            by_topic[topic][docno] = grade
        return cls.from_qrels(by_topic)

    @classmethod
    def from_qrels(cls, qrels: Mapping[str, Mapping[str, int]]) -> Self:
        """Take grades by topic and docno."""
        topics = tuple(sorted(qrels))  # code points order strings as UTF-8 orders bytes
        docnos = [sorted(qrels[topic]) for topic in topics]
        offsets = np.cumsum([0, *map(len, docnos)], dtype=np.int64)
        entries = tuple(
            {docno.encode(): start + i for i, docno in enumerate(names)}
            for start, names in zip(offsets[:-1].tolist(), docnos, strict=True)
        )
        grades = [
            qrels[topic][docno]
            for topic, names in zip(topics, docnos, strict=True)
            for docno in names
        ]
        return cls(topics, offsets, entries, np.array(grades, dtype=np.int64))

    @cached_property
    def topic_of(self) -> Integers:
        """The topic's index, for each pair."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.offsets))

    @cached_property
    def ideal(self) -> Ideal:
        """The best possible ranking, whatever a run retrieved."""
        blocks = np.split(self.grades, self.offsets[1:-1]) if self.topics else []
        grades = np.concatenate(
            [self.grades[:0], *(np.sort(block)[::-1] for block in blocks)]
        )
        ranks = np.arange(1, len(grades) + 1) - self.offsets[self.topic_of]
        gained = grades > 0
        return Ideal(self.topic_of[gained], ranks[gained], grades[gained])

    def count(self, mask: Mask) -> Integers:
        """Return how many pairs of each topic the mask has."""
        return np.bincount(self.topic_of[mask], minlength=len(self.topics))


@dataclass(frozen=True, eq=False)
class Placements:
    """The documents of a universe that a run retrieved: topic after topic, in rank order.

    Those of topic t are `offsets[t]:offsets[t + 1]` of `entries` (places in the universe) and `ranks` (from 1).
    A pair of the universe that is not in `entries` was not retrieved. `n_retrieved[t]` counts all documents of the run.
    """

    offsets: Integers
    entries: Integers
    ranks: Integers
    n_retrieved: Integers

    def cut(self, depth: int) -> Self:
        """Return the placements of the same run cut after this rank, as trec_eval's -M cuts it."""
        kept = self.ranks <= depth
        counts = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
        return type(self)(
            counts[self.offsets],
            self.entries[kept],
            self.ranks[kept],
            np.minimum(self.n_retrieved, depth),
        )

    def missing(self, universe: Universe) -> tuple[str, ...]:
        """Return the topics for which the run has nothing."""
        return tuple(universe.topics[i] for i in np.flatnonzero(self.n_retrieved == 0))


def place(run: RankedRun, universe: Universe) -> Placements:
    """Find the universe's documents in a run: one look-up a line, one topic at a time in memory."""
    index = {topic: i for i, topic in enumerate(run.topics)}
    found = [
        _place_topic(run, index.get(topic), entries)
        for topic, entries in zip(universe.topics, universe.entries, strict=True)
    ]
    nothing = np.empty(0, np.int64)
    return Placements(
        offsets=np.cumsum([0, *(len(topic.ranks) for topic in found)], dtype=np.int64),
        entries=np.concatenate([nothing, *(topic.entries for topic in found)]),
        ranks=np.concatenate([nothing, *(topic.ranks for topic in found)]),
        n_retrieved=np.array([topic.n_retrieved for topic in found], dtype=np.int64),
    )


class _Found(NamedTuple):
    entries: Integers
    ranks: Integers
    n_retrieved: int


def _place_topic(
    run: RankedRun, topic: int | None, entries: Mapping[bytes, int]
) -> _Found:
    docnos = [] if topic is None else run.docnos_of(topic).tolist()
    places = np.fromiter(map(entries.get, docnos, repeat(-1)), np.int64, len(docnos))
    hits = np.flatnonzero(places >= 0)
    return _Found(places[hits], hits + 1, len(docnos))
