"""Points by two values: two measures, two judges, two versions."""

from collections.abc import Sequence

from pictures.axes import Plot, fitting, plot
from pictures.labels import Label
from pictures.numbers import GAP, Numbers, floats, known, written
from pictures.picture import Picture, each, redrawn
from pictures.scales import Scale, scale

Interval = tuple[float, float]
NO_INTERVAL = (GAP, GAP)


@redrawn
def scatter(
    xs: Numbers,
    ys: Numbers,
    names: Sequence[str],
    *,
    sentence: str,
    heads: tuple[str, str, str],
    identity: bool = False,
    x_intervals: Sequence[Interval] = (),
    y_intervals: Sequence[Interval] = (),
    mine: Sequence[int] = (),
    labeled: Sequence[int] = (),
    hrefs: Sequence[str] = (),
    height: int = 340,
    width: int | None = None,
) -> Picture:
    """Draw a dot for each pair. `heads` names the things, x and y; `identity` draws the line of equal values, on equal axes.

    If some are `mine` the others are gray.
    """
    across_values, up_values = floats(xs), floats(ys)
    x_ends = [end for ends in x_intervals for end in floats(ends)]
    y_ends = [end for ends in y_intervals for end in floats(ends)]
    across, up = _axes([*across_values, *x_ends], [*up_values, *y_ends], equal=identity)
    frame = plot(across, up, height=height, width=width, names=heads[1:], top=8)
    if identity:
        ends = [frame.at(across.low, up.low), frame.at(across.high, up.high)]
        frame.canvas.curve("line others dashed", ends)
    _crosses(frame, (across_values, up_values), (x_intervals, y_intervals))
    _dots(frame, (across_values, up_values), names, set(mine), each(hrefs, len(names)))
    for n in labeled:
        if known([across_values[n], up_values[n]]) == [across_values[n], up_values[n]]:
            place = frame.at(across_values[n], up_values[n])
            frame.labels.place(Label(place, (names[n],), "strong"), leader="leader")
    rows = tuple(
        (name, written(x), written(y))
        for name, x, y in zip(names, across_values, up_values, strict=True)
    )
    return Picture(frame.canvas.svg("scatter", sentence), sentence, heads, rows, tuple(hrefs))


def _axes(xs: list[float], ys: list[float], *, equal: bool) -> tuple[Scale, Scale]:
    """Return both axes, with room for the dots at the edges."""
    if equal:
        xs = ys = [*xs, *ys]
    return _roomy(xs, at_most=4), _roomy(ys, at_most=4)


def _roomy(values: list[float], at_most: int) -> Scale:
    found = scale(values)
    room = (found.high - found.low) * 0.04
    roomy = scale(values, low=found.low - room, high=found.high + room, at_most=at_most)
    return scale(
        values, low=roomy.low, high=roomy.high, at_most=min(at_most, fitting(roomy.labels))
    )


def _crosses(
    frame: Plot,
    values: tuple[list[float], list[float]],
    intervals: tuple[Sequence[Interval], Sequence[Interval]],
) -> None:
    """Draw the intervals of both values through each dot."""
    for x, y, ends in zip(*values, _or_none(intervals[0], len(values[0])), strict=True):
        if len(known([x, y, *ends])) == 4:
            frame.canvas.line("whisker others thin", frame.at(ends[0], y), frame.at(ends[1], y))
    for x, y, ends in zip(*values, _or_none(intervals[1], len(values[1])), strict=True):
        if len(known([x, y, *ends])) == 4:
            frame.canvas.line("whisker others thin", frame.at(x, ends[0]), frame.at(x, ends[1]))


def _or_none(intervals: Sequence[Interval], n: int) -> Sequence[Interval]:
    return intervals if len(intervals) else [NO_INTERVAL] * n


def _dots(
    frame: Plot,
    values: tuple[list[float], list[float]],
    names: Sequence[str],
    mine: set[int],
    hrefs: Sequence[str],
) -> None:
    """Draw the dots, mine above the others."""
    n_known = [n for n, pair in enumerate(zip(*values, strict=True)) if len(known(pair)) == 2]
    for n in sorted(n_known, key=lambda n: n in mine):
        x, y = values[0][n], values[1][n]
        whose = "mine" if not mine or n in mine else "others"
        place = frame.at(x, y)
        frame.canvas.dot(
            f"dot {whose}",
            place,
            4.5 if whose == "mine" else 3.5,
            f"{names[n]}: {written(x)}, {written(y)}",
            hrefs[n],
        )
        frame.labels.avoid_line([place])
