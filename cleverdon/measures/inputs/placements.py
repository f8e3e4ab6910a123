"""Where runs have the judged documents: all that a measure needs to know of a run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import Integers, Ints, Mask, begins, offsets_of, owners, ranges
from cleverdon.trec.lazy import lazy
from cleverdon.trec.ranking import DEFAULT_RULES, by_topic, compared
from cleverdon.trec.runs.run import RankedRun


@dataclass(frozen=True, eq=False)
class Placements:
    """The documents of a universe that runs retrieved: ranking after ranking, in rank order.

    A ranking is what one run has for one topic. A run has one for each topic of the universe, in
    the universe's order; several runs follow one another. Ranking i is `offsets[i]:offsets[i + 1]`
    of

    - `entries`: the indices of the documents in the universe, int32;
    - `ranks`: from 1, int32;
    - `firsts`, `lasts`: the first and the last rank of all documents with the same score, int32.

    A pair that is not in `entries` was not retrieved. `n_retrieved[i]` (int32) counts all documents
    of the ranking, judged or not. `offsets` are int64, [n_rankings + 1].
    """

    offsets: Integers
    entries: Ints
    ranks: Ints
    firsts: Ints
    lasts: Ints
    n_retrieved: Ints

    @property
    def n_rankings(self) -> int:
        return len(self.n_retrieved)

    @lazy
    def rankings(self) -> Integers:
        """The ranking each document is in."""
        return owners(np.diff(self.offsets))

    @classmethod
    def together(cls, runs: Sequence["Placements"]) -> "Placements":
        """Put the rankings of several runs one after the other."""
        if len(runs) == 1:
            return runs[0]
        names = ("entries", "ranks", "firsts", "lasts", "n_retrieved")
        return cls(
            offsets_of(np.concatenate([np.diff(run.offsets) for run in runs])),
            *(np.concatenate([getattr(run, name) for run in runs]) for name in names),
        )

    def of_topics(self, topics: Integers, universe: Universe) -> Self:
        """Return the rankings of some topics, as placed in `universe.of_topics(topics)`."""
        n_runs = self.n_rankings // universe.n_topics
        chosen = (np.arange(n_runs)[:, None] * universe.n_topics + topics).ravel()
        starts, ends = self.offsets[chosen], self.offsets[chosen + 1]
        at, offsets = ranges(starts, ends)
        shifts = universe.offsets[topics] - offsets_of(np.diff(universe.offsets)[topics])[:-1]
        shift = np.repeat(np.tile(shifts, n_runs), ends - starts).astype(np.int32)
        part = self._take(at, offsets, self.n_retrieved[chosen])
        return replace(part, entries=part.entries - shift)

    def within(self, universe: Universe, kept: Mask) -> Self:
        """Return the same runs as placed in `universe.within(kept)`."""
        [part] = self.all_within([self], universe, kept)
        return part

    @classmethod
    def all_within(cls, placed: Iterable[Self], universe: Universe, kept: Mask) -> list[Self]:
        """Return each `within` the same part of a universe."""
        has_any, numbers = universe.count(kept) > 0, np.cumsum(kept, dtype=np.int32) - 1
        return [each.renumbered(kept, numbers, has_any) for each in placed]

    def renumbered(self, kept: Mask, numbers: Ints, has_any: Mask) -> Self:
        """Return the same runs on what is kept, by its new numbers, and topics that have any."""
        left = np.tile(has_any, self.n_rankings // max(1, len(has_any)))
        part = self.where(kept[self.entries])
        return replace(
            part,
            offsets=offsets_of(np.diff(part.offsets)[left]),
            entries=numbers[part.entries],
            n_retrieved=self.n_retrieved[left],
        )

    def where(self, kept: Mask) -> Self:
        """Return the placements without some documents, which still count as retrieved."""
        return self._take(kept, offsets_of(kept)[self.offsets], self.n_retrieved)

    def _take(self, rows: Integers | Mask, offsets: Integers, counts: Ints) -> Self:
        columns = self.entries[rows], self.ranks[rows], self.firsts[rows]
        return type(self)(offsets, *columns, self.lasts[rows], counts)

    def cut(self, depth: int) -> Self:
        """Return the same runs cut after this rank, as by trec_eval's -M."""
        if depth >= self.n_retrieved.max(initial=0):
            return self
        part = self.where(self.ranks <= depth)
        return replace(
            part,
            lasts=np.minimum(part.lasts, np.int32(depth)),
            n_retrieved=np.minimum(self.n_retrieved, np.int32(depth)),
        )

    def condensed(self, universe: Universe) -> Self:
        """Return the same runs without their unjudged documents, as by trec_eval's -J.

        Ranks are counted anew. (Sakai 2007, "Alternatives to Bpref", calls it a condensed list.)
        """
        judged = self.where(universe.grades[self.entries] >= 0)
        counts = np.diff(judged.offsets).astype(np.int32)
        rows = np.arange(len(judged.entries))
        ranks = (rows - judged.offsets[judged.rankings] + 1).astype(np.int32)
        firsts, lasts = extents(begins(judged.firsts, judged.rankings))
        return replace(
            judged, ranks=ranks, firsts=ranks[firsts], lasts=ranks[lasts], n_retrieved=counts
        )

    def missing(self, universe: Universe) -> tuple[str, ...]:
        """Return the topics for which the run, one alone, has nothing."""
        return tuple(universe.topics[i] for i in np.flatnonzero(self.n_retrieved == 0))


def extents(starts: Mask, rows: Integers | slice = slice(None)) -> tuple[Integers, Integers]:
    """Return the first and the last row of each row's group; `starts` marks the first rows.

    >>> extents(np.array([True, False, True]))
    (array([0, 0, 2]), array([1, 1, 2]))
    """
    group = np.cumsum(starts)[rows] - 1
    edges = np.append(np.flatnonzero(starts), len(starts))
    return edges[group], edges[group + 1] - 1


def place(run: RankedRun, universe: Universe, rules: str = DEFAULT_RULES) -> Placements:
    """Find the universe's documents in a run ranked under these rules."""
    return _gathered([_placed(run, universe, rules)], universe)


class PlacedPart(NamedTuple):
    """What some topics of a run have: see `Placements`; `counts` are by topic of the universe."""

    rows: NDArray[np.int32]
    topics: Integers
    counts: Ints


def place_parts(
    parts: Iterable[RankedRun], universe: Universe, rules: str
) -> tuple[str, Placements]:
    """Place a run whose topics come in several parts, each in one; return its tag too."""
    tag, placed = "", []
    for part in parts:
        tag = part.tag
        placed.append(_placed(part, universe, rules))
    return tag, _gathered(placed, universe)


def _placed(run: RankedRun, universe: Universe, rules: str) -> PlacedPart:
    topics = universe.numbers_of(run.topics)
    entries, lines = universe.lookup.find(run.docnos, run.offsets, topics)
    counts = np.diff(run.offsets)
    rankings = owners(counts)
    # By the run's own topics: those that the universe lacks are all -1.
    firsts, lasts = extents(begins(compared(run.scores, rules), rankings), lines)
    before = run.offsets[rankings[lines]] - 1
    rows = np.stack([entries, lines - before, firsts - before, lasts - before])
    known = topics >= 0
    return PlacedPart(rows.astype(np.int32), topics[known], counts[known].astype(np.int32))


def _gathered(parts: Sequence[PlacedPart], universe: Universe) -> Placements:
    """Return the placements of a run from its parts, topics in the universe's order."""
    rows = np.concatenate([np.empty((4, 0), np.int32), *(part.rows for part in parts)], axis=1)
    topic_of = universe.topic_of[rows[0]]
    if (topic_of[1:] < topic_of[:-1]).any():
        order, _ = by_topic(topic_of)
        rows, topic_of = rows[:, order], topic_of[order]
    n_retrieved = np.zeros(universe.n_topics, dtype=np.int32)
    for part in parts:
        n_retrieved[part.topics] = part.counts
    offsets = offsets_of(np.bincount(topic_of, minlength=universe.n_topics))
    entries, ranks, firsts, lasts = rows
    return Placements(offsets, entries, ranks, firsts, lasts, n_retrieved)
