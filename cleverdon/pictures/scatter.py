"""Points by two values: two measures, two judges, two versions."""

from collections.abc import Sequence

from cleverdon.pictures.axes import Plot, fitting, plot
from cleverdon.pictures.labels import Label
from cleverdon.pictures.numbers import Numbers, floats, known, written
from cleverdon.pictures.picture import Picture, redrawn
from cleverdon.pictures.scales import GRID_LINES, Axis, scale


@redrawn
def scatter(  # noqa: PLR0913 - options by name, most have a usual value
    xs: Numbers,
    ys: Numbers,
    names: Sequence[str],
    *,
    sentence: str,
    heads: tuple[str, str, str],
    identity: bool = False,
    mine: Sequence[int] = (),
    labeled: Sequence[int] = (),
    joined: Sequence[int] = (),
    width: int | None = None,
) -> Picture:
    """Draw a dot for each pair; `heads` names the things, x and y.

    `identity` makes the axes equal and draws their diagonal. With some `mine` the others are gray.
    A line joins the dots of `joined`, in that order.
    """
    pairs = list(zip(floats(xs), floats(ys), strict=True))
    across, up = _axes(pairs, equal=identity)
    frame = plot(across, up, height=340, width=width, names=heads[1:], top=8)
    if identity:
        ends = [frame.at(across.low, up.low), frame.at(across.high, up.high)]
        frame.canvas.curve("line others dashed", ends)
    line = [frame.at(*pairs[n]) for n in joined if len(known(pairs[n])) == 2]
    if len(line) > 1:
        frame.canvas.curve("line others", line)
        frame.labels.avoid_line(line)
    _dots(frame, pairs, names, set(mine))
    for n in labeled:
        if len(known(pairs[n])) == 2:
            label = Label(frame.at(*pairs[n]), (names[n],), "strong")
            frame.labels.place(label, leader="leader")
    rows = tuple((name, *map(written, pair)) for name, pair in zip(names, pairs, strict=True))
    return Picture(frame.canvas.svg("scatter", sentence), sentence, heads, rows)


def _axes(pairs: Sequence[tuple[float, float]], *, equal: bool) -> tuple[Axis, Axis]:
    """Return both axes, with room for the dots at the edges."""
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    if equal:
        xs = ys = [*xs, *ys]
    return _roomy(xs), _roomy(ys)


def _roomy(values: list[float]) -> Axis:
    tight = scale(values)
    room = (tight.high - tight.low) * 0.04
    roomy = scale(values, low=tight.low - room, high=tight.high + room)
    at_most = min(GRID_LINES, fitting(roomy.labels))
    return scale(values, low=roomy.low, high=roomy.high, at_most=at_most)


def _dots(
    frame: Plot, pairs: Sequence[tuple[float, float]], names: Sequence[str], mine: set[int]
) -> None:
    """Draw the dots, mine above the others."""
    complete = [n for n, pair in enumerate(pairs) if len(known(pair)) == 2]
    for n in sorted(complete, key=lambda n: n in mine):
        (x, y), place = pairs[n], frame.at(*pairs[n])
        cls, radius = ("dot mine", 4.5) if not mine or n in mine else ("dot others", 3.5)
        frame.canvas.dot(cls, place, radius, f"{names[n]}: {written(x)}, {written(y)}")
        frame.labels.avoid_line([place])
