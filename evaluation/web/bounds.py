"""What a page shows of the bounds of a run's scores."""

from typing import Any, NamedTuple

from evaluation.core.columns import NOTHING, Column
from evaluation.models.scores import Score
from evaluation.score_bounds import Bounded, Interval, bounds_of
from measures.names import parse
from pictures.markup import Drawn
from pictures.rows import axis_of, axis_row, interval_row
from pictures.scales import Scale

ROW_HEIGHT = 24


class BoundedRow(NamedTuple):
    """A measure as it is written, with its bounds; the picture is of a score from 0 to 1."""

    name: str
    definition: str
    text: str
    judging: tuple[str, str]
    ties: tuple[str, str]
    picture: Drawn | None


def bounds_shown(score: Score) -> dict[str, Any]:
    """Return the bounds of every measure, and what the first one's come to in words."""
    bounds = bounds_of(score)
    axis = axis_of([0.0, 1.0], low=0.0, high=1.0)
    return {
        "bounds": bounds,
        "do_ties_matter": any(row.ties and row.ties[0] != row.ties[1] for row in bounds.rows),
        "rows": [_row(axis, row) for row in bounds.rows],
        "axis": axis_row(axis).svg,
        "heading": _heading(score.run.tag, bounds.rows[0]),
    }


def _row(axis: Scale, row: Bounded) -> BoundedRow:
    column = Column.of(parse(row.measure))
    picture = None
    # With all relevant, a measure that ignores what is unjudged can be lower than with none.
    ends = tuple(sorted(row.judging)) if row.judging else ()
    if row.judging and ends[0] >= 0 and ends[1] <= 1:
        sentence = f"{row.measure} {column.text(row.value)}, from {column.text(ends[0])} to {column.text(ends[1])}."
        picture = interval_row(
            axis, row.value, (ends[0], ends[1]), sentence=sentence, height=ROW_HEIGHT
        ).svg
    return BoundedRow(
        row.measure,
        row.definition,
        column.text(row.value),
        _ends(column, row.judging),
        _ends(column, row.ties),
        picture,
    )


def _ends(column: Column, interval: Interval) -> tuple[str, str]:
    if interval is None:
        return NOTHING, NOTHING
    return column.text(interval[0]), column.text(interval[1])


def _heading(tag: str, row: Bounded) -> str:
    """Say what the first measure would be if all unjudged documents were relevant; it is no bound: see `cases_of_judging`."""
    column = Column.of(parse(row.measure))
    if row.judging is None:
        return f"Ties and unjudged documents of {tag}"
    none, all_ = _ends(column, row.judging)
    value = column.text(row.value)
    said = f"{row.measure} of {tag} is {value}"
    if none == all_ == value:
        return f"{said}, whether or not its unjudged documents are relevant"
    if none == value:
        return f"{said}; it would be {all_} if all its unjudged documents were relevant"
    return f"{said}; it would be {all_} if all its unjudged documents were relevant, and {none} if none were"
