"""The bounds of a run's scores as they are written."""

from typing import Any, NamedTuple

from evaluation.core.columns import NOTHING, MeasureColumn
from evaluation.models.scores import Score
from evaluation.score_bounds import Bounded, Interval, bounds_of
from measures.names import parse


class BoundedRow(NamedTuple):
    """A measure with its bounds as texts; `low` to `high` can be drawn if both are from 0 to 1."""

    bounded: Bounded
    column: MeasureColumn
    judging: tuple[str, str]
    ties: tuple[str, str]

    @property
    def text(self) -> str:
        return self.column.text(self.bounded.value)

    @property
    def interval(self) -> Interval:
        """The scores without and with all unjudged documents relevant, if both are from 0 to 1.

        A measure that ignores what is unjudged can be lower with them.
        """
        ends = self.bounded.judging
        if ends is None or min(ends) < 0 or max(ends) > 1:
            return None
        return min(ends), max(ends)


def bounds_shown(score: Score) -> dict[str, Any]:
    """Return the bounds of every measure, and the first one's in words."""
    bounds = bounds_of(score)
    rows = [_row(each) for each in bounds.rows]
    return {
        "bounds": bounds,
        "do_ties_matter": any(each.ties and each.ties[0] != each.ties[1] for each in bounds.rows),
        "rows": rows,
        "heading": _heading(score.run.tag, rows[0]),
    }


def _row(bounded: Bounded) -> BoundedRow:
    column = MeasureColumn.of(parse(bounded.measure))
    return BoundedRow(bounded, column, _ends(column, bounded.judging), _ends(column, bounded.ties))


def _ends(column: MeasureColumn, interval: Interval) -> tuple[str, str]:
    if interval is None:
        return NOTHING, NOTHING
    return column.text(interval[0]), column.text(interval[1])


def _heading(tag: str, row: BoundedRow) -> str:
    """Say what the first measure would be in both cases; they are no bounds: `cases_of_judging`."""
    if row.bounded.judging is None:
        return f"Ties and unjudged documents of {tag}"
    none, every = row.judging
    score = f"{row.bounded.measure} of {tag} is {row.text}"
    if none == every == row.text:
        return f"{score}, whether or not its unjudged documents are relevant"
    in_all = f"{score}; it would be {every} if all its unjudged documents were relevant"
    return in_all if none == row.text else f"{in_all}, and {none} if none were"
