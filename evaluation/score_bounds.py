"""A run scored with its ties in other orders, and its unjudged documents relevant or not."""

from typing import NamedTuple

from evaluation.models.scores import Score
from evaluation.placement_cache import against
from measures.scoring.bounds import Cases, cases_of_judging, cases_of_ties, highest_grade

Interval = tuple[float, float] | None


class Bounded(NamedTuple):
    """A run's aggregate of a measure, and what it could be; None where that is unknown.

    `ties` are the lowest and the highest over the orders of tied documents; `judging` is without
    and with all unjudged documents relevant.
    """

    measure: str
    value: float
    ties: Interval
    judging: Interval


class RunBounds(NamedTuple):
    """Every measure of an evaluation; all unjudged documents would be relevant by `grade`."""

    rows: list[Bounded]
    grade: int
    n_retrieved: int
    n_unjudged: int


def bounds_of(score: Score) -> RunBounds:
    """Score a run again in the extreme orders of its ties, and without and with all unjudged."""
    evaluation = score.evaluation
    level, rules = evaluation.qrels.level, evaluation.rules
    universe, (placed,) = against(evaluation, [score.run])
    monotone = [m for m in evaluation.parsed if m.family.is_monotone]

    def intervals(cases: Cases) -> dict[str, tuple[float, float]]:
        bounds = cases.bounds(monotone, level=level, rules=rules)
        pairs = bounds.aggregates(evaluation.topic_set)
        return dict(zip(map(str, monotone), pairs, strict=True))

    ties = intervals(cases_of_ties(placed, universe))
    # A negative grade of imported qrels may mean that there is no judgment.
    all_judged = not evaluation.qrels.is_imported
    judging = intervals(cases_of_judging(placed, universe, level, all_judged=all_judged))
    rows = [
        Bounded(name, value, ties.get(name), judging.get(name))
        for name, value in zip(evaluation.measures, score.aggregates, strict=True)
    ]
    n_retrieved = int(placed.n_retrieved.sum())
    is_judged = (universe.grades[placed.entries] >= 0) | all_judged
    n_judged = int(is_judged.sum())
    return RunBounds(rows, highest_grade(universe, level), n_retrieved, n_retrieved - n_judged)
