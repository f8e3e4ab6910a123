"""Bounds of a stored score: over the orders of tied documents, and over what unjudged documents could be."""

from typing import NamedTuple

from evaluation.core.bounds import (
    Cases,
    cases_of_judging,
    cases_of_ties,
    highest_grade,
)
from evaluation.models import Score
from evaluation.placing import against

Ends = tuple[float, float] | None


class Bounded(NamedTuple):
    """A measure with a run's aggregate, and the lowest and highest that ties and judging allow; None where unknown."""

    measure: str
    definition: str
    value: float
    ties: Ends
    judging: Ends


class RunBounds(NamedTuple):
    """The bounds of every measure of an evaluation; at best the unjudged documents retrieved have the grade `grade`."""

    rows: list[Bounded]
    grade: int
    n_retrieved: int
    n_unjudged: int


def bounds_of(stored: Score) -> RunBounds:
    """Score a run anew, with ties and unjudged documents at their worst and at their best."""
    evaluation = stored.evaluation
    level, rules = evaluation.qrels.level, evaluation.rules
    universe, (placed,) = against(evaluation.qrels, [stored.run], rules)
    asked = [m for m in evaluation.parsed if m.family.is_monotone]

    def ends(cases: Cases) -> dict[str, tuple[float, float]]:
        bounds = cases.bounds(asked, level=level, rules=rules)
        pairs = bounds.aggregates(evaluation.topic_set)
        return dict(zip(map(str, asked), pairs, strict=True))

    ties = ends(cases_of_ties(placed, universe))
    judging = ends(cases_of_judging(placed, universe, level))
    rows = [
        Bounded(name, definition, value, ties.get(name), judging.get(name))
        for (name, definition), value in zip(
            evaluation.definitions(), stored.aggregates, strict=True
        )
    ]
    n_retrieved = int(placed.n_retrieved.sum())
    n_unjudged = n_retrieved - len(placed.entries)
    return RunBounds(rows, highest_grade(universe, level), n_retrieved, n_unjudged)
