"""How reusable a collection is: runs scored without the documents that they alone brought in.

Zobel (1998) leaves one run out at a time, Büttcher et al. (2007) all runs of a team. A run that had
not contributed would meet these documents unjudged, as the runs of later systems do.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import starmap
from typing import NamedTuple

import numpy as np

from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.strata import Strata
from cleverdon.measures.inputs.universe import NOT_JUDGED, Universe
from cleverdon.significance.correlations import tau_b
from cleverdon.trec.arrays import Floats, Integers, Mask

DECIMALS = 4  # to which scores tie on a board
SEVERAL = -1  # no group alone
# Takes placements of some runs and the judgments; returns their aggregates, [runs x measures].
Score = Callable[[Sequence[Placements], Universe], Floats]


def only_groups(holders: Iterable[Collection[int]]) -> Integers:
    """Return the one group that contributed each document, SEVERAL where it is not one."""
    groups = (next(iter(each)) if len(set(each)) == 1 else SEVERAL for each in holders)
    return np.fromiter(groups, dtype=np.int64)


def left_out(
    placed: Sequence[Placements],
    judged: Universe,
    *,
    only: Integers,
    groups: Integers,
    before: Floats,
    score: Score,
) -> Floats:
    """Return the scores of each run without its group's own documents, [runs x measures].

    `only` is of `only_groups`, [n_entries]; `groups` are those of the runs; `before` the scores
    with all judgments.
    """
    after = before.copy()
    for group in np.intersect1d(groups, only).tolist():
        runs = np.flatnonzero(groups == group)
        after[runs] = score(*without([placed[run] for run in runs.tolist()], judged, only == group))
    return after


def without(
    placed: Sequence[Placements], judged: Universe, gone: Mask
) -> tuple[list[Placements], Universe]:
    """Return runs and judgments as if these entries had never come into the pool."""
    left = judged.with_grades(np.where(gone, NOT_JUDGED, judged.grades))
    if isinstance(left.detail, Strata):
        # Of a sample they are no part of the population either: nothing stands for them.
        left = replace(left, detail=left.detail.apart(gone))
    return [each.where(~gone[each.entries]) for each in placed], left


def risen(before: Floats, after: Floats, groups: Integers, sign: int) -> list[int | None]:
    """Return how many places each run rises by one measure when its group is left out.

    Scores are [runs]; a run's place is among its own group's scores after and all others' before.
    Those equal to four decimals share a place, as on a board. None for a run without a value.
    """
    first, then = (sign * np.round(values, DECIMALS) for values in (before, after))
    among = np.where(groups[:, None] == groups, then, first)
    places = (first > first[:, None]).sum(axis=1) - (among > then[:, None]).sum(axis=1)
    known = ~np.isnan(first) & ~np.isnan(then)
    return [int(n) if is_known else None for n, is_known in zip(places, known, strict=True)]


class Change(NamedTuple):
    """What leaving out does to runs: changes in percent of the score, and places moved.

    `worst` is the largest change in favor of the others; None where no run has a score above 0.
    """

    mean: float | None
    worst: float | None
    mean_places: float
    most_places: int


def change(runs: Sequence[tuple[float | None, float | None, int | None]], sign: int) -> Change:
    """Sum up over runs: the score before and after, and the places risen."""
    found = [each for each in starmap(percent, (run[:2] for run in runs)) if each is not None]
    places = [abs(rose) for _, _, rose in runs if rose is not None] or [0]
    # Sorted, a sum does not depend on the order of runs.
    found.sort(key=lambda each: sign * each)
    mean, worst = (float(np.mean(found)), found[0]) if found else (None, None)
    return Change(mean, worst, float(np.mean(places)), max(places))


def percent(before: float | None, after: float | None) -> float | None:
    """Return by how much percent a score changes; None where it was 0 or is none.

    >>> percent(0.4, 0.3), percent(0, 0)
    (-25.0, None)
    """
    return round(100 * (after - before) / before, 6) if before and after is not None else None


def growth(
    placed: Sequence[Placements],
    judged: Universe,
    versions: Sequence[Mask],
    *,
    score: Score,
    signs: Sequence[int],
) -> list[list[float | None]]:
    """Return tau-b of the boards of versions of a pool with that of all judgments.

    A version is the entries whose judgments it has. The result is [versions x measures].
    """
    whole = _boards(score(placed, judged), signs)
    found = []
    for version in versions:
        part = judged.with_grades(np.where(version, judged.grades, NOT_JUDGED))
        boards = _boards(score(placed, part), signs)
        found.append([_alike(*pair) for pair in zip(boards.T, whole.T, strict=True)])
    return found


def _boards(scores: Floats, signs: Sequence[int]) -> Floats:
    boards: Floats = np.array(signs) * np.round(scores, DECIMALS)
    return boards


def _alike(one: Floats, other: Floats) -> float | None:
    both = ~np.isnan(one) & ~np.isnan(other)
    return tau_b(one[both], other[both])
