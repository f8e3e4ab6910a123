"""Upright bars: of sizes, of numbers in order of time, of differences around zero, and small ones for a table's cell."""

from collections.abc import Sequence

from pictures.axes import BELOW, Plot, plot
from pictures.canvas import CHARACTER, Canvas, Place
from pictures.labels import Label, Spot
from pictures.numbers import Numbers, floats, known, median, written
from pictures.picture import Picture, each, redrawn
from pictures.scales import GRID_LINES, Scale, scale, ticks_of

# The part of its place that a bar takes.
FULL = 0.78
# The label of a bar stands on it, or begins or ends there.
ABOVE_A_BAR = (Spot("middle", 0, -6), Spot("start", -4, -6), Spot("end", 4, -6))
# So many pixels are between the names of two bars.
BESIDE = 6
# Bars of nothing are this high, so that one sees that there is a place.
STUB = 1.5


@redrawn
def bars(
    values: Numbers,
    names: Sequence[str],
    *,
    sentence: str,
    heads: tuple[str, str],
    highest_first: bool = True,
    chosen: int | None = None,
    chosen_label: str = "",
    with_median: bool = False,
    ends: tuple[str, str] | None = None,
    hrefs: Sequence[str] = (),
    height: int = 150,
    width: int | None = None,
) -> Picture:
    """Draw a bar for each value. One may be chosen, and the others are pale then; `ends` stand below the first and the last."""
    numbers = floats(values)
    order = falling(numbers) if highest_first else list(range(len(numbers)))
    whole = all(value == int(value) for value in known(numbers))
    frame = plot(
        Scale(0, 1),
        _from_zero(numbers, whole=whole),
        height=height,
        width=width,
        names=("", heads[1]) if width else ("", ""),
    )
    texts = [f"{name}: {written(value)}" for name, value in zip(names, numbers, strict=True)]
    links = each(hrefs, len(numbers))
    for place, n in enumerate(order):
        cls = "bar mine" if chosen in {None, n} else "bar mine pale"
        _upright(frame, cls, (place, len(order)), numbers[n], texts[n], links[n])
    _below(frame, [names[n] for n in order], ends)
    if with_median:
        _median(frame, numbers)
    if chosen is not None and known([numbers[chosen]]):
        at = (order.index(chosen) + 0.5) / len(order), frame.y(max(numbers[chosen], 0))
        label = Label(at, (chosen_label or texts[chosen],))
        frame.labels.place(label, ABOVE_A_BAR)
    return Picture(
        frame.canvas.svg("bars", sentence),
        sentence,
        heads,
        tuple((names[n], written(numbers[n])) for n in order),
        tuple(links[n] for n in order) if hrefs else (),
    )


@redrawn
def differences(
    values: Numbers,
    names: Sequence[str],
    *,
    sentence: str,
    heads: tuple[str, str],
    labels: tuple[str, str] = ("", ""),
    ends: tuple[str, str] | None = None,
    hrefs: Sequence[str] = (),
    height: int = 220,
    width: int | None = None,
) -> Picture:
    """Draw a bar up or down from 0 for each difference, the highest first; `labels` say what is above and what below."""
    numbers = floats(values)
    order = falling(numbers)
    frame = plot(
        Scale(0, 1),
        _around_zero(numbers),
        height=height,
        width=width,
        names=("", heads[1]) if width else ("", ""),
    )
    links = each(hrefs, len(numbers))
    for place, n in enumerate(order):
        cls = "bar second outlined" if numbers[n] < 0 else "bar mine"
        _upright(
            frame,
            cls,
            (place, len(order)),
            numbers[n],
            f"{names[n]}: {signed(numbers[n])}",
            links[n],
        )
    # Above the plot, each over the bars that it counts: the highest are at the left.
    frame.canvas.text("label strong mine", (0, frame.top - 6), labels[0])
    frame.canvas.text("label strong second", (1, frame.top - 6), labels[1], "end")
    _below(frame, [names[n] for n in order], ends)
    return Picture(
        frame.canvas.svg("bars", sentence),
        sentence,
        heads,
        tuple((names[n], signed(numbers[n])) for n in order),
        tuple(links[n] for n in order) if hrefs else (),
    )


@redrawn
def small_bars(
    values: Numbers,
    *,
    sentence: str,
    most: float | None = None,
    titles: Sequence[str] = (),
    height: int = 22,
    width: int | None = None,
) -> Picture:
    """Draw bars without axes, for a cell. Rows that are compared share the `most` that is as high as the cell."""
    numbers = floats(values)
    top = most or max(known(numbers), default=0) or 1
    canvas, texts = Canvas(height, width=width), each(titles, len(numbers))
    wide = FULL / len(numbers) if numbers else 0
    boxes: dict[str, list[tuple[Place, Place]]] = {"bar mine": [], "bar nothing": []}
    for place, value in enumerate(numbers):
        high = min(max(value, 0) / top, 1) * (height - STUB) + STUB if value > 0 else STUB
        cls = "bar mine" if value > 0 else "bar nothing"
        corner, size = (place / len(numbers), height - high), (wide, high)
        if titles:
            canvas.rect(cls, corner, size, texts[place])
        else:
            boxes[cls].append((corner, size))
    for cls, those in boxes.items():
        canvas.blocks(cls, those)
    return Picture(canvas.svg("cell", sentence), sentence)


def falling(numbers: Sequence[float]) -> list[int]:
    """Return the places of numbers, the highest first and gaps last; equal ones stay in order."""
    return sorted(
        range(len(numbers)),
        key=lambda n: (numbers[n] != numbers[n], -numbers[n] if known([numbers[n]]) else 0),
    )


def signed(value: float, decimals: int | None = None) -> str:
    """Write a difference with its sign.

    >>> signed(0.25), signed(0)
    ('+0.25', '0')
    """
    return f"{'+' if value > 0 else ''}{written(value, decimals)}"


def _from_zero(numbers: Sequence[float], *, whole: bool) -> Scale:
    if not any(known(numbers)):
        return Scale(0, 1, (0,), ("0",))
    return scale(numbers, low=0, whole=whole)


def _around_zero(numbers: Sequence[float]) -> Scale:
    most = max(map(abs, known(numbers)), default=0) or 1
    ticks, labels = ticks_of(-most, most, GRID_LINES)
    labels = tuple(
        f"+{label}" if tick > 0 else label for tick, label in zip(ticks, labels, strict=True)
    )
    return Scale(-most, most, ticks, labels)


def _upright(
    frame: Plot, cls: str, place: tuple[int, int], value: float, title: str, href: str
) -> None:
    """Draw the bar at a place of so many, up or down from 0."""
    if known([value]):
        n, of = place
        zero, end = frame.y(0), frame.y(value)
        high = max(abs(zero - end), STUB)
        corner = (n + (1 - FULL) / 2) / of, zero - high if value >= 0 else zero
        frame.canvas.rect(cls, corner, (FULL / of, high), title, href)


def _below(frame: Plot, names: Sequence[str], ends: tuple[str, str] | None) -> None:
    """Name the bars where there is room for all names, and else the first and the last."""
    y, n = frame.canvas.height - BELOW, len(names)
    longest = max(map(len, names), default=0) * CHARACTER + BESIDE
    if ends is None and n * longest <= frame.canvas.plot:
        for place, name in enumerate(names):
            frame.canvas.text("tick", ((place + 0.5) / n, y), name, "middle", dy=17)
        return
    first, last = ends or (names[0], names[-1] if n > 1 else "")
    frame.canvas.text("tick", (0, y), first, dy=17)
    frame.canvas.text("tick", (1, y), last, "end", dy=17)


def _median(frame: Plot, numbers: Sequence[float]) -> None:
    middle = median(numbers)
    if known([middle]):
        y, text = (frame.y(middle), f"median {written(middle, 0 if middle > 10 else None)}")
        frame.canvas.line("median", (0, y), (1, y))
        frame.canvas.text("label strong", (1, y), text, "end", dy=-6)
        frame.labels.reserve((1, y - 6), text, "end")
