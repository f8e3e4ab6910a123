"""What a value would be if unjudged documents were judged, or tied documents ordered otherwise."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cleverdon.measures.family import Measure
from cleverdon.measures.inputs.placements import Placements, extents
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scores import Scores
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.arrays import Integers, Mask, begins, offsets_of, ranges, smallest
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.ranking import DEFAULT_RULES


class ScoreBounds(NamedTuple):
    """The scores of one run in its worst and in its best case."""

    lowest: Scores
    highest: Scores

    def aggregates(self, topic_set: str) -> list[tuple[float, float]]:
        """Return each measure's lowest and highest aggregate."""
        lowest, highest = (bound.aggregate(topic_set).values[0].tolist() for bound in self)
        return list(zip(lowest, highest, strict=True))


class Cases(NamedTuple):
    """A run in its worst and in its best case, each with the universe it is placed in.

    The topics with a relevant document are those of the `judged` universe.
    """

    judged: Universe
    worst: tuple[Placements, Universe]
    best: tuple[Placements, Universe]

    def bounds(
        self, measures: Sequence[Measure], *, level: int = 1, rules: str = DEFAULT_RULES
    ) -> ScoreBounds:
        """Score both.

        ValueError for a measure that a relevant document moved up can lower: these are not its
        worst and best cases.
        """
        for measure in measures:
            if not measure.family.is_monotone:
                raise ValueError(
                    f"{measure} has no bounds: a relevant document moved up can lower it."
                )
        scores = (
            score([placements], universe, measures, level=level, rules=rules)
            for placements, universe in (self.worst, self.best)
        )
        has_relevant = self.judged.n_at_least(level) > 0
        return ScoreBounds(*(replace(each, has_relevant=has_relevant) for each in scores))


def cases_of_ties(placements: Placements, universe: Universe) -> Cases:
    """Return a run with its tied documents in the worst and in the best order."""
    orders = (ordered_ties(placements, universe, best=b) for b in (False, True))
    return Cases(universe, *((each, universe) for each in orders))


def cases_of_judging(
    placements: Placements, universe: Universe, level: int, *, all_judged: bool = False
) -> Cases:
    """Return a run with its unjudged documents at grade 0, and at the highest grade.

    These are two cases and no bounds: AP is lower than in both if only those at the lowest ranks
    are relevant. A negative grade means that nobody has judged the document; with `all_judged`,
    that somebody has, and it stays.
    """
    grades = 0, highest_grade(universe, level)
    supposed = (
        if_unjudged_were(placements, universe, grade, all_judged=all_judged) for grade in grades
    )
    return Cases(universe, *supposed)


def highest_grade(universe: Universe, level: int) -> int:
    """Return the highest grade known, at least the level."""
    return max(level, int(universe.grades.max(initial=0)))


def ordered_ties(placements: Placements, universe: Universe, *, best: bool) -> Placements:
    """Return the same run with the documents of each tie in the best or in the worst order.

    Best is: higher grades first, then unjudged documents, then those judged not relevant; worst is
    the reverse.
    """
    grades = universe.grades[placements.entries].astype(np.int64)
    # Unjudged documents (0) come between those with a gain (2 or more) and those judged not
    # relevant (-1).
    merits = np.where(grades > 0, 2 * grades, np.where(grades == 0, -1, 0))
    key = -merits if best else merits
    order = np.lexsort((key, placements.firsts, placements.rankings))
    ordered = replace(
        placements,
        entries=placements.entries[order],
        firsts=placements.firsts[order],
        lasts=placements.lasts[order],
    )
    from_top = key[order] < 0 if best else key[order] <= 0
    return replace(ordered, ranks=_ranks(ordered, from_top).astype(np.int32))


def _ranks(ordered: Placements, from_top: Mask) -> Integers:
    """Return ranks within each tie: `from_top` documents from its top down, others from below.

    The ranks left in between are those of documents that are not in the universe.
    """
    rows = np.arange(len(ordered.entries))
    first_rows, last_rows = extents(begins(ordered.firsts, ordered.rankings))
    ranks: Integers = np.where(
        from_top, ordered.firsts + (rows - first_rows), ordered.lasts - (last_rows - rows)
    )
    return ranks


def if_unjudged_were(
    placements: Placements, universe: Universe, grade: int, *, all_judged: bool = False
) -> tuple[Placements, Universe]:
    """Return one run and a universe in which every unjudged document it retrieved has this grade.

    Documents that are not in the universe are added to it without a name, at the end of their
    topic. Unjudged documents that the run did not retrieve stay unjudged, and with `all_judged`
    negative grades stay as they are.
    """
    n_retrieved = placements.n_retrieved.astype(np.int64)
    n_placed, n_entries = np.diff(placements.offsets), np.diff(universe.offsets)
    offsets = offsets_of(n_entries + n_retrieved - n_placed)
    shifts = offsets[:-1] - universe.offsets[:-1]
    grades = np.full(int(offsets[-1]), grade, dtype=np.int64)
    grades[np.arange(len(universe.grades)) + np.repeat(shifts, n_entries)] = universe.grades
    retrieved = placements.entries.astype(np.int64) + np.repeat(shifts, n_placed)
    if not all_judged:
        grades[retrieved] = np.where(grades[retrieved] < 0, grade, grades[retrieved])
    added, _ = ranges(offsets[:-1] + n_entries, offsets[1:])
    names = Docnos.of([b""]).take(np.zeros(len(grades), dtype=np.int64))
    supposed = Universe(universe.topics, offsets, names, smallest(grades))
    return _all_ranks(placements, retrieved, added), supposed


def _all_ranks(placements: Placements, known: Integers, added: Integers) -> Placements:
    """Return placements with a document at every rank: the known entries, and added in the gaps."""
    offsets = offsets_of(placements.n_retrieved)
    rows = offsets[placements.rankings] + placements.ranks - 1
    entries = np.empty(int(offsets[-1]), dtype=np.int32)
    is_gap = np.ones(len(entries), dtype=np.bool_)
    is_gap[rows] = False
    entries[rows], entries[is_gap] = known, added
    starts = np.repeat(offsets[:-1], placements.n_retrieved)
    ranks = (np.arange(len(entries)) - starts + 1).astype(np.int32)
    return Placements(offsets, entries, ranks, ranks, ranks, placements.n_retrieved)
