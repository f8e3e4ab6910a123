"""Pictures for the rows of a table that share one axis, drawn in the table's head.

Each row is an SVG of its own, as wide as its cell, so that values line up from row to row.
"""

from collections.abc import Sequence
from typing import Literal

from cleverdon.pictures.canvas import CHARACTER, NARROW, Canvas
from cleverdon.pictures.markup import Drawn
from cleverdon.pictures.numbers import Numbers, floats, known
from cleverdon.pictures.picture import Whose
from cleverdon.pictures.scales import Axis, scale

Shape = Literal["dot", "ring", "diamond", "square"]
Interval = tuple[float, float]


def axis_of(
    *values: Numbers, low: float | None = None, high: float | None = None, whole: bool = False
) -> Axis:
    """Return the axis of all rows, with a little room at its ends; `low` and `high` fix an end."""
    tight = scale(*map(floats, values), low=low, high=high, whole=whole)
    room = (tight.high - tight.low) * 0.03
    bottom = low if low is not None and low <= tight.low else tight.low - room
    top = high if high is not None and high >= tight.high else tight.high + room
    return Axis(bottom, top, tight.ticks, tight.labels)


def axis_row(axis: Axis, *, mark: tuple[float, str] | None = None) -> Drawn:
    """Draw the axis for the head of the table; a marked value hides the labels below its own."""
    canvas, taken = Canvas(16), _extent(axis, mark)
    for value, label in axis.named:
        x = axis.at(value)
        half = len(label) * CHARACTER / 2 / NARROW
        if not taken or x + half < taken[0] or x - half > taken[1]:
            canvas.text("tick", (x, 12), label, anchor(x, half))
    if mark:
        x = axis.at(mark[0])
        half = len(mark[1]) * CHARACTER / 2 / NARROW
        canvas.text("label strong mine", (x, 12), mark[1], anchor(x, half))
    return canvas.svg("cell", "")


def interval_row(  # noqa: PLR0913 - options by name, most have a usual value
    axis: Axis,
    value: float | None,
    interval: Interval | None = None,
    *,
    sentence: str,
    shape: Shape = "dot",
    whose: Whose = "mine",
    size: float = 9,
    too_few: bool = False,
    mark: float | None = None,
    height: int = 30,
) -> Drawn:
    """Draw an estimate with its interval.

    `too_few` makes it dotted and gray; `mark` is a dashed line through all rows, such as the mean.
    """
    canvas = _row(axis, height, mark)
    middle, whose = height / 2, "others" if too_few else whose
    if interval is not None and len(known(interval)) == 2:
        low, high = (inside(axis.at(end)) for end in interval)
        cls = f"whisker {whose}" + (" dotted" if too_few else "")
        canvas.line(cls, (low, middle), (high, middle))
    for number in known(floats([value])):
        place = inside(axis.at(number)), middle
        cls = f"dot {whose}" + (" hollow" if shape == "ring" or too_few else "")
        if shape in {"dot", "ring"}:
            canvas.dot(cls, place, size / 2)
        else:
            canvas.shape(cls, place, _outline(shape, size / 2))
    return canvas.svg("cell row", sentence)


def range_row(
    axis: Axis, value: float | None, summary: Sequence[float], *, sentence: str, height: int = 28
) -> Drawn:
    """Draw a value among others, hollow if below their median.

    `summary` has the lowest, first quartile, median, third quartile and highest of the others.
    """
    canvas, middle = _row(axis, height), height / 2
    if len(known(summary)) == 5:
        low, first, half, third, high = (inside(axis.at(each)) for each in summary)
        canvas.line("whisker others thin", (low, middle), (high, middle))
        for end in (low, high):
            canvas.line("whisker others thin", (end, middle - 3), (end, middle + 3))
        canvas.rect("box", (first, middle - 4), (third - first, 8))
        canvas.line("middle-tick", (half, middle - 6), (half, middle + 6))
    for number in known(floats([value])):
        below = len(known(summary)) == 5 and number < summary[2]
        cls = "dot second hollow" if below else "dot mine"
        canvas.dot(cls, (inside(axis.at(number)), middle), 4.5)
    return canvas.svg("cell row", sentence)


def pair_row(axis: Axis, value: float | None, other: float | None, *, sentence: str) -> Drawn:
    """Draw a value, filled, and the one that it is compared with, hollow."""
    canvas, middle = Canvas(26), 13.0
    canvas.line("grid", (0, middle), (1, middle))
    places = [inside(axis.at(number)) for number in known(floats([value, other]))]
    if len(places) == 2:
        canvas.line("whisker others", (places[0], middle), (places[1], middle))
    for number in known(floats([other])):
        canvas.dot("dot others hollow", (inside(axis.at(number)), middle), 4)
    for number in known(floats([value])):
        canvas.dot("dot mine", (inside(axis.at(number)), middle), 5)
    return canvas.svg("cell row", sentence)


def _row(axis: Axis, height: int, mark: float | None = None) -> Canvas:
    """Return a row with the grid and the mark."""
    canvas = Canvas(height)
    for tick in axis.ticks:
        x = axis.at(tick)
        canvas.line("zero" if tick == 0 else "grid", (x, 0), (x, height))
    if mark is not None:
        canvas.line("median mine", (axis.at(mark), 0), (axis.at(mark), height))
    return canvas


def _outline(shape: Shape, half: float) -> str:
    if shape == "diamond":
        half *= 1.2
        return f"M0 {-half:g}L{half:g} 0L0 {half:g}L{-half:g} 0z"
    return f"M{-half:g} {-half:g}h{2 * half:g}v{2 * half:g}h{-2 * half:g}z"


def inside(part: float) -> float:
    return min(max(part, 0.0), 1.0)


def anchor(x: float, half: float) -> str:
    """Return an anchor that keeps a label inside; `half` is the part that half of it takes."""
    if x < half:
        return "start"
    return "end" if x > 1 - half else "middle"


def _extent(axis: Axis, mark: tuple[float, str] | None) -> Interval | None:
    if not mark:
        return None
    half = len(mark[1]) * CHARACTER / 2 / NARROW
    middle = min(max(axis.at(mark[0]), half), 1 - half)
    return middle - half, middle + half
