"""Where runs have the judged documents: all that a measure needs to know of a run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import Integers, Ints, Mask, begins, offsets_of, owners, ranges
from cleverdon.trec.lazy import lazy
from cleverdon.trec.parallel import N_LINES, at_once, spans
from cleverdon.trec.ranking import DEFAULT_RULES, compared
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


def place(
    run: RankedRun, universe: Universe, rules: str = DEFAULT_RULES, n_lines: int = N_LINES
) -> Placements:
    """Find the universe's documents in a run ranked under these rules, `n_lines` at a time."""
    topics = universe.numbers_of(run.topics)

    def placed(span: tuple[int, int]) -> NDArray[np.int64]:
        return _entries_in(run, universe, rules, topics, span)

    parts = at_once(placed, spans(run.offsets, n_lines))
    rows = np.concatenate([np.empty((4, 0), dtype=np.int64), *parts], axis=1)
    known = np.flatnonzero(topics >= 0)
    before = np.zeros(universe.n_topics, dtype=np.int64)
    before[topics[known]] = run.offsets[known] - 1
    n_retrieved = np.zeros(universe.n_topics, dtype=np.int32)
    n_retrieved[topics[known]] = np.diff(run.offsets)[known]
    topic_of = universe.topic_of[rows[0]]
    rows[1:] -= before[topic_of]
    entries, ranks, firsts, lasts = rows.astype(np.int32)
    offsets = offsets_of(np.bincount(topic_of, minlength=universe.n_topics))
    return Placements(offsets, entries, ranks, firsts, lasts, n_retrieved)


def _entries_in(
    run: RankedRun, universe: Universe, rules: str, topics: Integers, span: tuple[int, int]
) -> NDArray[np.int64]:
    """Return the entries in a span of the run's topics, [4 x n] in the order of the lines.

    The rows are the entry, its line, and the first and the last line of the same score. `topics`
    are the indices in the universe of the run's topics, -1 where it lacks one.
    """
    first, last = span
    start, end = run.offsets[[first, last]].tolist()
    counts = np.diff(run.offsets[first : last + 1])
    rankings = owners(counts)
    entries, lines = universe.lookup.find(
        run.docnos, run.offsets[first : last + 1], topics[first:last]
    )
    lines -= start
    # By the run's own topics: those that the universe lacks are all -1.
    starts = begins(compared(run.scores[start:end], rules), rankings)
    firsts, lasts = extents(starts, lines)
    return np.stack([entries, lines + start, firsts + start, lasts + start])
