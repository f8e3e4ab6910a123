"""A run scored with its ties in other orders, and its unjudged documents relevant or not."""

import math
from typing import NamedTuple

from cleverdon.measures.scoring.bounds import Cases, cases_of_judging, cases_of_ties, highest_grade
from evaluation.core.columns import MeasureColumn
from evaluation.models.scores import Score
from evaluation.placement_cache import against

Interval = tuple[float, float] | None


class Bounded(NamedTuple):
    """A run's aggregate of a measure, and what it could be; None where that is unknown.

    `ties` are the lowest and the highest over the orders of tied documents; `judging` is without
    and with all unjudged documents relevant.
    """

    column: MeasureColumn
    value: float
    ties: Interval
    judging: Interval

    @property
    def text(self) -> str:
        return self.column.text(self.value)

    @property
    def texts(self) -> list[str]:
        """Both ends of `judging` and of `ties` as they are written."""
        none = math.nan, math.nan
        return [self.column.text(end) for ends in (self.judging, self.ties) for end in ends or none]

    @property
    def drawn(self) -> Interval:
        """The ends of `judging`, the lower one first, if both are from 0 to 1.

        A measure that ignores what is unjudged can be lower with all of them relevant.
        """
        ends = self.judging
        return (min(ends), max(ends)) if ends and min(ends) >= 0 and max(ends) <= 1 else None


class RunBounds(NamedTuple):
    """Every measure of an evaluation; all unjudged documents would be relevant by `grade`."""

    tag: str
    rows: list[Bounded]
    grade: int
    n_retrieved: int
    n_unjudged: int

    @property
    def do_ties_matter(self) -> bool:
        return any(each.ties and each.ties[0] != each.ties[1] for each in self.rows)

    @property
    def heading(self) -> str:
        """What the first measure would be in both cases; they are no bounds: `cases_of_judging`."""
        row = self.rows[0]
        if row.judging is None:
            return f"Ties and unjudged documents of {self.tag}"
        none, every, *_ = row.texts
        score = f"{row.column.name} of {self.tag} is {row.text}"
        if none == every == row.text:
            return f"{score}, whether or not its unjudged documents are relevant"
        in_all = f"{score}; it would be {every} if all its unjudged documents were relevant"
        return in_all if none == row.text else f"{in_all}, and {none} if none were"


def bounds_of(score: Score) -> RunBounds:
    """Score a run again in the extreme orders of its ties, and without and with all unjudged."""
    evaluation = score.evaluation
    level, rules = evaluation.qrels.level, evaluation.rules
    universe, (placed,) = against(evaluation, [score.run])
    monotone = [m for m in evaluation.parsed if m.family.is_monotone]

    def intervals(cases: Cases) -> dict[str, tuple[float, float]]:
        bounds = cases.bounds(monotone, level=level, rules=rules)
        pairs = bounds.aggregates(evaluation.scope.topic_set)
        return dict(zip(map(str, monotone), pairs, strict=True))

    ties = intervals(cases_of_ties(placed, universe))
    # A negative grade of imported qrels, or of a population, may mean that there is no judgment.
    all_judged = not (evaluation.qrels.is_imported or evaluation.qrels.is_sample)
    judging = intervals(cases_of_judging(placed, universe, level, all_judged=all_judged))
    rows = [
        Bounded(column, value, ties.get(column.name), judging.get(column.name))
        for column, value in zip(
            map(MeasureColumn.of, evaluation.parsed), score.aggregates, strict=True
        )
    ]
    n_retrieved = int(placed.n_retrieved.sum())
    is_judged = (universe.grades[placed.entries] >= 0) | all_judged
    n_unjudged = n_retrieved - int(is_judged.sum())
    grade = highest_grade(universe, level)
    return RunBounds(score.run.tag, rows, grade, n_retrieved, n_unjudged)
