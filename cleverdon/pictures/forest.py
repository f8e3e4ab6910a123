"""Estimates with their intervals, one below the other: a caterpillar or forest plot."""

from collections.abc import Sequence

from cleverdon.pictures.axes import fitting
from cleverdon.pictures.canvas import Canvas, cut, margin_for
from cleverdon.pictures.cells import LABEL
from cleverdon.pictures.numbers import Numbers, floats, known, written
from cleverdon.pictures.picture import Picture, redrawn
from cleverdon.pictures.rows import axis_of
from cleverdon.pictures.scales import Axis

ROW, LOWEST_ROW, HEAD = 16, 5, 20
TALLEST = 900


@redrawn
def forest(
    values: Numbers,
    intervals: Sequence[tuple[float, float] | None],
    names: Sequence[str],
    *,
    sentence: str,
    heads: tuple[str, str],
    groups: Sequence[int | None] = (),
    mine: Sequence[int] = (),
    width: int | None = None,
) -> Picture:
    """Draw a row for each value with its interval, in the order given; `heads` names both.

    Without `intervals` a line leads to each value from 0. A line divides neighbors of different
    `groups`. With some `mine` the others are gray.
    """
    numbers = floats(values)
    ends = [floats(each or (None, None)) for each in intervals or [(0.0, n) for n in numbers]]
    row = max(LOWEST_ROW, min(ROW, TALLEST // max(len(names), 1)))
    labels = [cut(name) for name in names]
    canvas = Canvas(HEAD + row * len(names) + 4, width=width, margin=margin_for(labels))
    axis = axis_of(numbers, [end for pair in ends for end in pair])
    _grid(canvas, axis)
    for n in range(len(names)):
        y = HEAD + row * (n + 0.5)
        if n and groups and groups[n] != groups[n - 1]:
            canvas.line("base", (0, y - row / 2), (1, y - row / 2))
        if n % -(-LABEL // row) == 0:
            canvas.text("tick", (0, y), labels[n], "end", dx=-6, dy=4)
        whose = "others" if mine and n not in mine else "mine"
        low, high = map(axis.at, ends[n])
        if len(known([low, high])) == 2:
            canvas.line(f"whisker {whose}", (low, y), (high, y))
        for value in known([numbers[n]]):
            title = f"{names[n]}: {written(value)}"
            canvas.dot(f"dot {whose}", (axis.at(value), y), min(4, row / 2), title)
    columns, rows = _table(numbers, ends if intervals else [], names, heads)
    return Picture(canvas.svg("lines", sentence), sentence, columns, rows)


def _table(
    numbers: Sequence[float],
    ends: Sequence[Sequence[float]],
    names: Sequence[str],
    heads: tuple[str, str],
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return a row for each value, with the ends of its interval if there are any."""
    beside = ends or [()] * len(names)
    rows = zip(names, numbers, beside, strict=True)
    columns = (*heads, "from", "to") if ends else heads
    return columns, tuple((name, *map(written, (value, *pair))) for name, value, pair in rows)


def _grid(canvas: Canvas, axis: Axis) -> None:
    """Draw a line at each tick that has room for its label."""
    named = list(axis.named)
    for value, label in named[:: max(1, -(-len(named) // fitting(axis.labels)))]:
        part = axis.at(value)
        canvas.line("grid", (part, HEAD), (part, canvas.height))
        canvas.text("tick", (part, 12), label, "middle")
