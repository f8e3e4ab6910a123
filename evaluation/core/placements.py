"""Where runs have the judged documents: all that a measure needs to know of a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from evaluation.core.universe import Universe
from trec.arrays import Integers, Ints, Mask, ranges
from trec.docnos import same
from trec.lazy import lazy
from trec.parallel import at_once, stretches
from trec.ranking import DEFAULT_RULES, compared, grouped
from trec.runs.run import RankedRun


@dataclass(frozen=True, eq=False)
class Placements:
    """The documents of a universe that runs retrieved: ranking after ranking, in rank order.

    A ranking is what one run has for one topic. A run has one for each topic of the universe, in its order; of several runs
    the rankings stand run after run. Those of ranking i are `offsets[i]:offsets[i + 1]` of `entries` (places in the
    universe), `ranks` (from 1) and `firsts` and `lasts`, the first and last rank of all documents of the same score. A pair
    that is not in `entries` was not retrieved. `n_retrieved[i]` counts all documents of the ranking, judged or not.
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
        numbers = np.arange(self.n_rankings)
        return np.repeat(numbers, np.diff(self.offsets))

    @classmethod
    def together(cls, runs: Sequence["Placements"]) -> "Placements":
        """Put the rankings of several runs one after the other."""
        if len(runs) == 1:
            return runs[0]
        ends = np.concatenate([[0], *(np.diff(run.offsets) for run in runs)])
        return cls(
            np.cumsum(ends, dtype=np.int64),
            *(
                np.concatenate([getattr(run, name) for run in runs])
                for name in ("entries", "ranks", "firsts", "lasts", "n_retrieved")
            ),
        )

    def of_topics(self, topics: Integers, universe: Universe) -> Self:
        """Return the rankings of some topics, run after run, placed in the part of the universe that is these topics'."""
        n_runs = self.n_rankings // universe.n_topics
        runs = np.arange(n_runs)[:, None] * universe.n_topics
        chosen = (runs + topics).ravel()
        starts, ends = self.offsets[chosen], self.offsets[chosen + 1]
        at, offsets = ranges(starts, ends)
        sizes = np.diff(universe.offsets)[topics]
        moved = universe.offsets[topics] - (np.cumsum(sizes) - sizes)
        shift = np.repeat(np.tile(moved, n_runs), ends - starts).astype(np.int32)
        return type(self)(
            offsets,
            self.entries[at] - shift,
            self.ranks[at],
            self.firsts[at],
            self.lasts[at],
            self.n_retrieved[chosen],
        )

    def within(self, universe: Universe, kept: Mask) -> Self:
        """Return the same runs' placements in the part of the universe that has only these entries (`Universe.within`)."""
        has_any = np.bincount(universe.topic_of[kept], minlength=universe.n_topics) > 0
        left = np.tile(has_any, self.n_rankings // max(1, universe.n_topics))
        found = self.where(kept[self.entries])
        numbers = np.cumsum(kept, dtype=np.int32) - 1
        return type(self)(
            np.concatenate([[0], np.cumsum(np.diff(found.offsets)[left])]),
            numbers[found.entries],
            found.ranks,
            found.firsts,
            found.lasts,
            self.n_retrieved[left],
        )

    def where(self, kept: Mask) -> Self:
        """Return the placements without some documents, which stay retrieved."""
        counts = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
        return type(self)(
            counts[self.offsets],
            self.entries[kept],
            self.ranks[kept],
            self.firsts[kept],
            self.lasts[kept],
            self.n_retrieved,
        )

    def cut(self, depth: int) -> Self:
        """Return the placements of the same runs cut after this rank, as trec_eval's -M cuts them."""
        if depth >= self.n_retrieved.max(initial=0):
            return self
        cut = self.where(self.ranks <= depth)
        return type(self)(
            cut.offsets,
            cut.entries,
            cut.ranks,
            cut.firsts,
            np.minimum(cut.lasts, np.int32(depth)),
            np.minimum(self.n_retrieved, np.int32(depth)),
        )

    def condensed(self, universe: Universe) -> Self:
        """Return the placements of the same runs without their unjudged documents, as trec_eval's -J takes them out.

        Ranks are counted anew. (Sakai 2007, "Alternatives to Bpref", calls it a condensed list.)
        """
        judged = self.where(universe.grades[self.entries] >= 0)
        starts = judged.offsets[judged.rankings]
        places = np.arange(len(judged.entries))
        ranks = (places - starts + 1).astype(np.int32)
        firsts, lasts = _renumbered(judged, ranks)
        counts = np.diff(judged.offsets).astype(np.int32)
        return type(self)(judged.offsets, judged.entries, ranks, firsts, lasts, counts)

    def missing(self, universe: Universe) -> tuple[str, ...]:
        """Return the topics for which the run, one alone, has nothing."""
        return tuple(universe.topics[i] for i in np.flatnonzero(self.n_retrieved == 0))


def _renumbered(judged: Placements, ranks: Ints) -> tuple[Ints, Ints]:
    """Return the extent of each group of equal scores after its ranks have been counted anew."""
    if not len(ranks):
        return ranks, ranks
    begins = np.ones(len(ranks), dtype=np.bool_)
    begins[1:] = np.diff(judged.firsts) != 0
    begins[1:] |= np.diff(judged.rankings) != 0
    group = np.cumsum(begins) - 1
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(ranks)) - 1
    return ranks[starts][group], ranks[ends][group]


class _Found(NamedTuple):
    """Lines of a run with the entry each is, and the first and the last line of its score; one element a line found."""

    entries: Integers
    lines: Integers
    firsts: Integers
    lasts: Integers


def place(run: RankedRun, universe: Universe, rules: str = DEFAULT_RULES) -> Placements:
    """Find the universe's documents in a run ranked under the same rules: one look-up a line."""
    index = {topic: number for number, topic in enumerate(universe.topics)}
    own = np.array([index.get(topic, -1) for topic in run.topics], dtype=np.int64)
    table, hashes = universe.table, run.docnos.hashes

    def found(topics: tuple[int, int]) -> _Found:
        first, last = topics
        start, end = run.offsets[[first, last]].tolist()
        offsets = run.offsets[first : last + 1] - start
        numbers = np.repeat(own[first:last], np.diff(offsets))
        entries, lines = table.look_up(numbers, hashes[start:end])
        equal = same(
            universe.docnos.take(entries, with_hashes=False),
            run.docnos.take(lines + start, with_hashes=False),
        )
        if not equal.all():
            entries, lines = entries[equal], lines[equal]
        keys = compared(run.scores[start:end], rules)
        firsts, lasts = _tied(keys, offsets, lines)
        return _Found(entries, lines + start, firsts + start, lasts + start)

    pieces = list(at_once(found, stretches(run.offsets)))
    nothing = np.empty((4, 0), dtype=np.int64)
    whole = np.concatenate([nothing, *(np.stack(piece) for piece in pieces)], axis=1)
    if (np.diff(own[own >= 0]) < 0).any():
        whole = whole[:, grouped(universe.topic_of[whole[0]])]
    return _placed(universe, run, own, _Found(*whole))


def _placed(
    universe: Universe, run: RankedRun, own: Integers, found: _Found
) -> Placements:
    known = np.flatnonzero(own >= 0)
    starts = np.zeros(universe.n_topics, dtype=np.int64)
    starts[own[known]] = run.offsets[known]
    n_retrieved = np.zeros(universe.n_topics, dtype=np.int32)
    n_retrieved[own[known]] = np.diff(run.offsets)[known]
    topics = universe.topic_of[found.entries]
    counts = np.bincount(topics, minlength=universe.n_topics)
    before = starts[topics] - 1
    return Placements(
        np.concatenate([[0], np.cumsum(counts)]),
        found.entries.astype(np.int32),
        (found.lines - before).astype(np.int32),
        (found.firsts - before).astype(np.int32),
        (found.lasts - before).astype(np.int32),
        n_retrieved,
    )


def _tied(
    keys: NDArray[np.floating], offsets: Integers, lines: Integers
) -> tuple[Integers, Integers]:
    """Return the first and the last line of the group of equal scores that each of these lines is in."""
    equal = keys[1:] == keys[:-1]
    equal[offsets[1:-1] - 1] = False
    tied = np.zeros(len(keys), dtype=np.bool_)
    tied[1:] |= equal
    tied[:-1] |= equal
    members = np.flatnonzero(tied[lines])
    if not len(members):
        return lines, lines
    starts = np.concatenate([[0], np.flatnonzero(~equal) + 1])
    group = np.searchsorted(starts, lines[members], side="right") - 1
    firsts, lasts = lines.copy(), lines.copy()
    firsts[members] = starts[group]
    lasts[members] = np.append(starts[1:], len(keys))[group] - 1
    return firsts, lasts
