"""Judgments by subtopic."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from cleverdon.measures.inputs.labels import LabeledLines, numbered_within
from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import Integers, Mask, offsets_of, owners, ranges, smallest
from cleverdon.trec.qrels import JudgedPairs


@dataclass(frozen=True, eq=False)
class Subtopics:
    """The subtopics each entry is relevant to, of entry e `numbers[offsets[e]:offsets[e + 1]]`.

    Subtopics are numbered from 0 within a topic; `counts[t]` is how many topic t has. The arrays
    are int64.
    """

    offsets: Integers
    numbers: Integers
    counts: Integers

    def of_entries(self, entries: Integers, offsets: Integers) -> Self:
        """Return the subtopics of these entries; one without a relevant entry drops out."""
        rows, row_offsets = ranges(self.offsets[entries], self.offsets[entries + 1])
        topics = owners(np.diff(row_offsets[offsets]))
        numbers, counts = numbered_within(topics, self.numbers[rows])
        counts.resize(len(offsets) - 1)
        return type(self)(row_offsets, numbers, counts)


def by_subtopic(pairs: JudgedPairs) -> Universe:
    """Return the pairs with the subtopics that each is relevant to, which are their labels.

    A document is relevant to a subtopic when its grade there is above 0; its own grade is the
    highest. Only subtopics with a relevant document count. ValueError when the pairs have no
    labels.
    """
    lines = LabeledLines.of(pairs)
    is_relevant = pairs.grades > 0
    n_entries = len(lines.firsts)
    sizes = np.bincount(lines.entries[is_relevant], minlength=n_entries)
    highest = np.full(n_entries, np.iinfo(np.int64).min)
    np.maximum.at(highest, lines.entries, pairs.grades)
    return Universe(
        pairs.topics,
        lines.offsets,
        pairs.docnos.take(lines.firsts),
        smallest(highest),
        Subtopics(offsets_of(sizes), *_numbered(lines, is_relevant, len(pairs.topics))),
    )


def _numbered(lines: LabeledLines, is_relevant: Mask, n_topics: int) -> tuple[Integers, Integers]:
    """Return the subtopic of each relevant line, from 0 by first appearance, and topics' counts."""
    rows, names = np.flatnonzero(is_relevant), lines.labels.tolist()
    known: list[dict[bytes, int]] = [{} for _ in range(n_topics)]
    numbers = [
        known[topic].setdefault(names[row], len(known[topic]))
        for topic, row in zip(lines.topics[rows].tolist(), rows.tolist(), strict=True)
    ]
    counts = [len(subtopics) for subtopics in known]
    return np.array(numbers, dtype=np.int64), np.array(counts, dtype=np.int64)


def subtopics_of(universe: Universe) -> Subtopics:
    """Return the subtopics of a universe; ValueError when it has none."""
    return universe.detailed(
        Subtopics, "These qrels do not say which subtopics a document is relevant to."
    )
