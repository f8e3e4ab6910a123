"""What a value could be: were unjudged documents judged, and were tied scores ordered otherwise."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evaluation.core.measures.family import Measure
from evaluation.core.placements import Placements
from evaluation.core.scores import Scores
from evaluation.core.scoring import score
from evaluation.core.universe import Universe
from trec.arrays import Integers, ranges, smallest
from trec.docnos import Docnos
from trec.ranking import DEFAULT_RULES


class Bounds(NamedTuple):
    """The scores of one run, and how low and how high they could be."""

    scores: Scores
    lowest: Scores
    highest: Scores

    def aggregates(self, topic_set: str) -> list[tuple[float, float]]:
        """Return the lowest and the highest aggregate of each measure, over the topic set of the scores as they are."""
        ends = (
            replace(end, has_relevant=self.scores.has_relevant).aggregate(topic_set)
            for end in (self.lowest, self.highest)
        )
        lowest, highest = (end.values[0].tolist() for end in ends)
        return list(zip(lowest, highest, strict=True))


def bounds_of_ties(
    placements: Placements,
    universe: Universe,
    measures: Sequence[Measure],
    *,
    level: int = 1,
    rules: str = DEFAULT_RULES,
) -> Bounds:
    """Score a run in its order, and with the documents of equal scores in their worst and in their best order.

    ValueError for a measure that a relevant document moved up can lower: it has no best order that could be told.
    """
    orders = (
        placements,
        ordered_ties(placements, universe, best=False),
        ordered_ties(placements, universe, best=True),
    )
    _check(measures)
    return Bounds(
        *(
            score([order], universe, measures, level=level, rules=rules)
            for order in orders
        )
    )


def bounds_of_judging(
    placements: Placements,
    universe: Universe,
    measures: Sequence[Measure],
    *,
    level: int = 1,
    rules: str = DEFAULT_RULES,
) -> Bounds:
    """Score a run as it is, as if all it retrieved unjudged were not relevant, and as if all were of the highest grade known.

    ValueError as `bounds_of_ties` has it.
    """
    _check(measures)
    given = [(placements, universe)] + [
        if_unjudged_were(placements, universe, grade)
        for grade in (0, highest_grade(universe, level))
    ]
    return Bounds(
        *(
            score([placed], own, measures, level=level, rules=rules)
            for placed, own in given
        )
    )


def highest_grade(universe: Universe, level: int) -> int:
    """Return the highest grade known, at least the level."""
    return max(level, int(universe.grades.max(initial=0)))


def _check(measures: Sequence[Measure]) -> None:
    for measure in measures:
        if not measure.family.is_monotone:
            raise ValueError(
                f"{measure} has no bounds: a relevant document moved up can lower it."
            )


def ordered_ties(
    placements: Placements, universe: Universe, *, best: bool
) -> Placements:
    """Return the same run with the documents of each group of equal scores in the best or in the worst order.

    Best is: higher grades first, then what is unjudged, then what is judged not relevant; worst is the reverse.
    """
    grades = universe.grades[placements.entries].astype(np.int64)
    # Between what gains and what is judged to gain nothing.
    standing = np.where(grades > 0, 2 * grades, np.where(grades == 0, -1, 0))
    key = -standing if best else standing
    order = np.lexsort((key, placements.firsts, placements.rankings))
    ordered = replace(
        placements,
        entries=placements.entries[order],
        firsts=placements.firsts[order],
        lasts=placements.lasts[order],
    )
    ranks = _ranks(
        ordered, key[order] < 0 if best else key[order] <= 0, placements.rankings
    )
    return replace(ordered, ranks=ranks.astype(np.int32))


def _ranks(placed: Placements, goes_first: np.ndarray, rankings: Integers) -> Integers:
    """Return ranks within each group of equals: some from its top down, the others from its bottom up.

    What the universe does not have stands between them.
    """
    begins = np.ones(len(rankings), dtype=np.bool_)
    begins[1:] = (np.diff(placed.firsts) != 0) | (np.diff(rankings) != 0)
    starts = np.flatnonzero(begins)
    group = np.cumsum(begins) - 1
    ends = np.append(starts[1:], len(rankings))
    places = np.arange(len(rankings))
    from_top = placed.firsts + (places - starts[group])
    from_bottom = placed.lasts - (ends[group] - 1 - places)
    ranks: Integers = np.where(goes_first, from_top, from_bottom)
    return ranks


def if_unjudged_were(
    placements: Placements, universe: Universe, grade: int
) -> tuple[Placements, Universe]:
    """Return one run and a universe as if every document it retrieved unjudged had been judged with this grade.

    Documents that the universe does not have join it without a name. What was pooled, is unjudged and was not retrieved stays unjudged.
    """
    n_retrieved = placements.n_retrieved.astype(np.int64)
    n_added = n_retrieved - np.diff(placements.offsets)
    sizes = np.diff(universe.offsets)
    offsets = np.concatenate([[0], np.cumsum(sizes + n_added)])
    moved = offsets[:-1] - universe.offsets[:-1]
    grades = np.full(int(offsets[-1]), grade, dtype=np.int64)
    known = np.arange(len(universe.grades)) + np.repeat(moved, sizes)
    grades[known] = universe.grades
    retrieved = placements.entries.astype(np.int64) + np.repeat(
        moved, np.diff(placements.offsets)
    )
    grades[retrieved] = np.where(grades[retrieved] < 0, grade, grades[retrieved])
    added, _ = ranges(offsets[:-1] + sizes, offsets[1:])
    placed = _all_ranks(placements, n_retrieved, retrieved, added)
    names = Docnos.of([b""] * len(grades))
    own = Universe(universe.topics, offsets, names, smallest(grades))
    return placed, own


def _all_ranks(
    placements: Placements, n_retrieved: Integers, known: Integers, added: Integers
) -> Placements:
    """Return placements that have every rank: known entries where they are, added ones in the gaps."""
    ends = np.cumsum(n_retrieved)
    starts = ends - n_retrieved
    at = np.repeat(starts, np.diff(placements.offsets)) + placements.ranks - 1
    entries = np.empty(int(n_retrieved.sum()), dtype=np.int64)
    is_gap = np.ones(len(entries), dtype=np.bool_)
    is_gap[at] = False
    entries[at], entries[is_gap] = known, added
    ranks = (np.arange(len(entries)) - np.repeat(starts, n_retrieved) + 1).astype(
        np.int32
    )
    return Placements(
        np.concatenate([[0], ends]),
        entries.astype(np.int32),
        ranks,
        ranks,
        ranks,
        placements.n_retrieved,
    )
