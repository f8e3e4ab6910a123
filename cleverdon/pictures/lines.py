"""Lines over numbers or dates, with bands, forecasts, labeled points, limits and deadlines."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from cleverdon.pictures.axes import ABOVE, Plot, fitting, limit, plot, upright
from cleverdon.pictures.canvas import Place
from cleverdon.pictures.dates import When, date_scale, day_and_month, day_number, in_words
from cleverdon.pictures.labels import Label
from cleverdon.pictures.numbers import Numbers, floats, known, written
from cleverdon.pictures.picture import Picture, Whose, redrawn
from cleverdon.pictures.scales import Axis, from_zero, scale

X = float | When


@dataclass(frozen=True)
class Series:
    """A line, with gaps where `ys` has None; `lows` and `highs` are the edges of a band.

    A forecast is dashed. A line that stresses a part of another is not `in_table`.
    """

    name: str
    xs: Sequence[X]
    ys: Numbers
    whose: Whose = "mine"
    area: bool = False
    dashed: bool = False
    lows: Numbers = ()
    highs: Numbers = ()
    in_table: bool = True


@dataclass(frozen=True)
class Point:
    """A dot with a label, hollow if minor; `drop` draws a thin line down to the axis."""

    x: X
    y: float
    label: str = ""
    detail: str = ""
    whose: Whose = "mine"
    hollow: bool = False
    drop: bool = False


@dataclass(frozen=True)
class Rule:
    """A vertical line, such as today or a deadline, with its label at the top."""

    x: X
    label: str


@dataclass(frozen=True)
class Limit:
    """A horizontal line, such as the pool's size."""

    y: float
    label: str
    whose: Whose = "others"


@redrawn
def lines(  # noqa: PLR0913 - options by name, most have a usual value
    series: Sequence[Series],
    *,
    sentence: str,
    x_name: str,
    y_name: str,
    points: Sequence[Point] = (),
    rules: Sequence[Rule] = (),
    limits: Sequence[Limit] = (),
    named: bool = False,
    height: int = 280,
    width: int | None = None,
) -> Picture:
    """Draw lines from left to right; later series lie on earlier ones.

    The axes are `named` where no text of the page says what they are.
    """
    across, up = _across(series, points, rules), _up(series, points, limits)
    names = (x_name, y_name) if width or named else ("", "")
    top = 2 * ABOVE if rules else ABOVE
    frame = plot(across, up, height=height, width=width, names=names, top=top)
    for each in series:
        _draw_areas(frame, each)
    for one in limits:
        limit(frame, one.y, one.whose)
    for rule in rules:
        upright(frame, as_number(rule.x), rule.label)
    for each in series:
        _draw_line(frame, each)
    for one in limits:
        frame.labels.place_along(frame.y(one.y), one.label, f"strong {one.whose}")
    _draw_points(frame, points)
    heads, rows = _table(series, x_name)
    return Picture(frame.canvas.svg("lines", sentence), sentence, heads, rows)


def as_number(x: X) -> float:
    return day_number(x) if isinstance(x, date) else float(x)


def _across(series: Sequence[Series], points: Sequence[Point], rules: Sequence[Rule]) -> Axis:
    """Return the horizontal axis; one of whole numbers from 1 names the 1."""
    given: list[X] = [x for each in series for x in each.xs]
    given += [one.x for one in points] + [rule.x for rule in rules]
    xs = known(floats(as_number(x) for x in given)) or [0.0]
    low, high = min(xs), max(xs)
    if any(isinstance(x, date) for x in given):
        return date_scale(low, high, fitting([day_and_month(low), day_and_month(high)]))
    whole = all(x == int(x) for x in xs)
    axis = scale(xs, at_most=fitting([written(high)]) - 1, whole=whole)
    if whole and low == 1 < high:
        ticks = (1.0, *(tick for tick in axis.ticks if tick > 1 + (high - 1) * 0.08))
        return Axis(axis.low, axis.high, ticks, tuple(map(written, ticks)))
    return axis


def _up(series: Sequence[Series], points: Sequence[Point], limits: Sequence[Limit]) -> Axis:
    values = [floats(values) for each in series for values in (each.ys, each.lows, each.highs)]
    values.append(floats([*(one.y for one in points), *(one.y for one in limits)]))
    return from_zero(known(*values))


def pieces(xs: Sequence[float], ys: Sequence[float]) -> list[list[Place]]:
    """Return the parts of a line between its gaps."""
    parts: list[list[Place]] = [[]]
    for x, y in zip(xs, ys, strict=True):
        if known([x, y]) == [x, y]:
            parts[-1].append((x, y))
        elif parts[-1]:
            parts.append([])
    return [piece for piece in parts if piece]


def _pieces(frame: Plot, series: Series, ys: Numbers) -> list[list[Place]]:
    xs = floats(as_number(x) for x in series.xs)
    return [[frame.at(x, y) for x, y in piece] for piece in pieces(xs, floats(ys))]


def _draw_areas(frame: Plot, series: Series) -> None:
    """Draw the area under a line, and the band around it."""
    floor = frame.y(max(0.0, frame.up.low))
    if series.area:
        for piece in _pieces(frame, series, series.ys):
            if len(piece) > 1:
                edge = [(piece[-1][0], floor), (piece[0][0], floor)]
                frame.canvas.curve(f"area {series.whose}", [*piece, *edge])
    if len(series.lows) and len(series.highs):
        xs = floats(map(as_number, series.xs))
        lows, highs = floats(series.lows), floats(series.highs)
        both = [
            x if known([low, high]) == [low, high] else float("nan")
            for x, low, high in zip(xs, lows, highs, strict=True)
        ]
        for under, over in zip(pieces(both, lows), pieces(both, highs), strict=True):
            around = [*over, *reversed(under)]
            frame.canvas.curve(f"band {series.whose}", [frame.at(*each) for each in around])


def _draw_line(frame: Plot, series: Series) -> None:
    """Draw a line; a value between two gaps is a dot."""
    cls = f"line {series.whose}" + (" dashed" if series.dashed else "")
    for piece in _pieces(frame, series, series.ys):
        if len(piece) > 1:
            frame.canvas.curve(cls, piece)
        else:
            frame.canvas.dot(f"dot {series.whose}", piece[0], 2.5)
        frame.labels.avoid_line(piece)


def _draw_points(frame: Plot, points: Sequence[Point]) -> None:
    """Draw the dots, and then their labels."""
    for one in points:
        place = frame.at(as_number(one.x), one.y)
        if one.drop:
            frame.canvas.line("drop", place, (place[0], frame.bottom))
            frame.labels.avoid_line([place, (place[0], frame.bottom)])
        cls = f"dot {one.whose}" + (" hollow" if one.hollow else "")
        title = ", ".join(text for text in (one.label, one.detail) if text)
        title = title or written(one.y)
        frame.canvas.dot(cls, place, 4 if one.hollow else 5, title)
        frame.labels.avoid_mark(place)
    for one in points:
        texts = tuple(text for text in (one.label, one.detail) if text)
        if texts:
            place = frame.at(as_number(one.x), one.y)
            cls = one.whose if one.hollow else f"strong {one.whose}"
            frame.labels.place(Label(place, texts, cls))


def _table(
    series: Sequence[Series], x_name: str
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return a row for each x, and a column for each line or edge of a band."""
    columns: dict[str, dict[float, str]] = {}
    dated = any(isinstance(x, date) for each in series for x in each.xs)
    for each in (one for one in series if one.in_table):
        named = (
            (each.name, each.ys),
            (f"{each.name}, low", each.lows),
            (f"{each.name}, high", each.highs),
        )
        for name, ys in named:
            if len(ys):
                texts = [written(y) for y in floats(ys)]
                columns[name] = dict(zip(map(as_number, each.xs), texts, strict=True))
    xs = sorted({x for column in columns.values() for x in column})
    rows = [
        (in_words(x) if dated else written(x), *(column.get(x, "") for column in columns.values()))
        for x in xs
    ]
    return (x_name, *columns), tuple(rows)
