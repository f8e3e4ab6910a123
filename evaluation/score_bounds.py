"""A stored score in other cases: its tied documents in any order, its unjudged ones all relevant or none."""

from typing import NamedTuple

from evaluation.models.scores import Score
from evaluation.placement_cache import against
from measures.scoring.bounds import Cases, cases_of_judging, cases_of_ties, highest_grade

Interval = tuple[float, float] | None


class Bounded(NamedTuple):
    """A measure and a run's aggregate; the lowest and the highest that ties allow, and what it would be if no unjudged document were relevant, or all.

    None where that is unknown.
    """

    measure: str
    definition: str
    value: float
    ties: Interval
    judging: Interval


class RunBounds(NamedTuple):
    """Every measure of an evaluation in these cases; where all unjudged documents are relevant they have the grade `grade`."""

    rows: list[Bounded]
    grade: int
    n_retrieved: int
    n_unjudged: int


def bounds_of(score: Score) -> RunBounds:
    """Score a run again, with its ties in the worst and the best order, and with none and all of its unjudged documents relevant."""
    evaluation = score.evaluation
    level, rules = evaluation.qrels.level, evaluation.rules
    universe, (placed,) = against(evaluation, [score.run])
    monotone = [m for m in evaluation.parsed if m.family.is_monotone]

    def intervals(cases: Cases) -> dict[str, tuple[float, float]]:
        bounds = cases.bounds(monotone, level=level, rules=rules)
        pairs = bounds.aggregates(evaluation.topic_set)
        return dict(zip(map(str, monotone), pairs, strict=True))

    ties = intervals(cases_of_ties(placed, universe))
    # In the campaign's own qrels each line is a judgment; in others a negative grade may mean that there is none.
    all_judged = not evaluation.qrels.is_imported
    judging = intervals(cases_of_judging(placed, universe, level, all_judged=all_judged))
    rows = [
        Bounded(name, definition, value, ties.get(name), judging.get(name))
        for (name, definition), value in zip(
            evaluation.definitions(), score.aggregates, strict=True
        )
    ]
    n_retrieved = int(placed.n_retrieved.sum())
    is_judged = (universe.grades[placed.entries] >= 0) | all_judged
    n_judged = int(is_judged.sum())
    return RunBounds(rows, highest_grade(universe, level), n_retrieved, n_retrieved - n_judged)
