"""Upright bars of sizes, of numbers in time order, of differences around 0; bars for a cell."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cleverdon.pictures.axes import BELOW, Plot, plot
from cleverdon.pictures.canvas import CHARACTER, Canvas, Place
from cleverdon.pictures.labels import Label, Spot
from cleverdon.pictures.markup import Drawn
from cleverdon.pictures.numbers import Numbers, floats, known, median, written
from cleverdon.pictures.picture import Picture, each, redrawn
from cleverdon.pictures.scales import GRID_LINES, Axis, from_zero, ticks_of

# The part of its place that a bar takes; of few bars, each is as wide as if there were six.
FULL, FEW = 0.78, 6
# Where the label of a bar may go: on it, centered or at one end.
ABOVE_A_BAR = (Spot("middle", 0, -6), Spot("start", -4, -6), Spot("end", 4, -6))
# Of more bars so many are drawn, at equal distances: a screen has room for no more.
MOST_BARS = 300
# Pixels between the names of two bars.
BETWEEN_NAMES = 6
# The height of a bar of 0, so that its place is seen.
STUB = 1.5


class _Chart(NamedTuple):
    """Bars on one frame, from left to right in `order`; `texts` are the values as written."""

    frame: Plot
    numbers: Sequence[float]
    names: Sequence[str]
    order: Sequence[int]
    texts: Sequence[str]
    hrefs: Sequence[str]

    def draw(self, cls_of: Callable[[int], str]) -> None:
        """Draw each bar up or down from 0."""
        links, every = each(self.hrefs, len(self.numbers)), len(self.order)
        of = min(every, MOST_BARS)
        zero, wide = self.frame.y(0), FULL / max(of, FEW)
        for place in range(of):
            n = self.order[place * (every - 1) // max(of - 1, 1)]
            if not known([self.numbers[n]]):
                continue
            high = max(abs(zero - self.frame.y(self.numbers[n])), STUB)
            top = zero - high if self.numbers[n] >= 0 else zero
            corner = (place + 0.5) / of - wide / 2, top
            title = f"{self.names[n]}: {self.texts[n]}"
            self.frame.canvas.rect(cls_of(n), corner, (wide, high), title, links[n])

    def name_below(self, ends: tuple[str, str] | None = None) -> None:
        """Name all bars if there is room, otherwise the first and the last, or the `ends`."""
        canvas, names = self.frame.canvas, [self.names[n] for n in self.order]
        y, n = canvas.height - BELOW, len(names)
        longest = max(map(len, names), default=0) * CHARACTER + BETWEEN_NAMES
        if ends is None and n * longest <= canvas.plot:
            for place, name in enumerate(names):
                canvas.text("tick", ((place + 0.5) / n, y), name, "middle", dy=17)
            return
        first, last = ends or (names[0], names[-1] if n > 1 else "")
        canvas.text("tick", (0, y), first, dy=17)
        canvas.text("tick", (1, y), last, "end", dy=17)

    def label(self, chosen: int, text: str) -> None:
        if known([self.numbers[chosen]]):
            across = (self.order.index(chosen) + 0.5) / len(self.order)
            at = across, self.frame.y(max(self.numbers[chosen], 0))
            label = Label(at, (text or f"{self.names[chosen]}: {self.texts[chosen]}",))
            self.frame.labels.place(label, ABOVE_A_BAR)

    def picture(self, sentence: str, heads: tuple[str, str]) -> Picture:
        rows = tuple((self.names[n], self.texts[n]) for n in self.order)
        links = tuple(self.hrefs[n] for n in self.order) if self.hrefs else ()
        return Picture(self.frame.canvas.svg("bars", sentence), sentence, heads, rows, links)


@redrawn
def bars(  # noqa: PLR0913 - options by name, most have a usual value
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
    """Draw a bar for each value; beside a chosen one the others are pale.

    `ends` are the names below the first and the last bar.
    """
    numbers = floats(values)
    order = falling(numbers) if highest_first else list(range(len(numbers)))
    frame = _frame(from_zero(numbers), heads[1], height, width)
    texts = [written(value) for _, value in zip(names, numbers, strict=True)]
    chart = _Chart(frame, numbers, names, order, texts, hrefs)
    chart.draw(lambda n: "bar mine" if chosen in {None, n} else "bar mine pale")
    chart.name_below(ends)
    if with_median:
        _median(frame, numbers)
    if chosen is not None:
        chart.label(chosen, chosen_label)
    return chart.picture(sentence, heads)


@redrawn
def differences(
    values: Numbers,
    names: Sequence[str],
    *,
    sentence: str,
    heads: tuple[str, str],
    labels: tuple[str, str] = ("", ""),
    width: int | None = None,
) -> Picture:
    """Draw a bar up or down from 0 for each difference, the highest first.

    `labels` say what bars above and below 0 mean.
    """
    numbers = floats(values)
    frame = _frame(_around_zero(numbers), heads[1], 220, width)
    texts = [signed(value) for value in numbers]
    chart = _Chart(frame, numbers, names, falling(numbers), texts, ())
    chart.draw(lambda n: "bar second outlined" if numbers[n] < 0 else "bar mine")
    # Above the plot, each over its bars: the highest are at the left.
    frame.canvas.text("label strong mine", (0, frame.top - 6), labels[0])
    frame.canvas.text("label strong second", (1, frame.top - 6), labels[1], "end")
    chart.name_below()
    return chart.picture(sentence, heads)


def small_bars(
    values: Numbers,
    *,
    sentence: str,
    most: float | None = None,
    titles: Sequence[str] = (),
    height: int = 22,
) -> Drawn:
    """Draw bars without axes, for a cell; a value of `most` is as high as the cell."""
    numbers = floats(values)
    top = most or max(known(numbers), default=0) or 1
    canvas, texts = Canvas(height), each(titles, len(numbers))
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
    for cls, of_class in boxes.items():
        canvas.blocks(cls, of_class)
    return canvas.svg("cell", sentence)


def part_bar(
    part: float,
    whole: float | None = None,
    *,
    most: float,
    sentence: str,
    track: bool = False,
    height: int = 10,
) -> Drawn:
    """Draw a strong bar for the part on a pale one for the whole; `most` fills the cell.

    With `track` a faint bar shows `most`.
    """
    canvas = Canvas(height)
    if track:
        canvas.rect("bar nothing", (0, 0), (1, height))
    if whole is not None:
        canvas.rect("bar mine pale", (0, 0), (_share(whole, most), height))
    canvas.rect("bar mine", (0, 0), (_share(part, most), height))
    return canvas.svg("cell", sentence)


def _share(value: float, most: float) -> float:
    """Return the part of the cell, from 0 to 1; 0 for a gap."""
    if not most > 0 or not value > 0:
        return 0.0
    return min(value / most, 1.0)


def falling(numbers: Sequence[float]) -> list[int]:
    """Return the indices of numbers, the highest first and gaps last; equal ones stay in order."""
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


def _frame(up: Axis, y_name: str, height: int, width: int | None) -> Plot:
    names = ("", y_name if width else "")
    return plot(Axis(0, 1), up, height=height, width=width, names=names)


def _around_zero(numbers: Sequence[float]) -> Axis:
    most = max(map(abs, known(numbers)), default=0) or 1
    ticks, labels = ticks_of(-most, most, GRID_LINES)
    labels = tuple(
        f"+{label}" if tick > 0 else label for tick, label in zip(ticks, labels, strict=True)
    )
    return Axis(-most, most, ticks, labels)


def _median(frame: Plot, numbers: Sequence[float]) -> None:
    middle = median(numbers)
    if known([middle]):
        is_short = middle < 10 or middle % 1 == 0.5  # between two whole numbers
        y, text = frame.y(middle), f"median {written(middle, None if is_short else 0)}"
        frame.canvas.line("median", (0, y), (1, y))
        frame.canvas.text("label strong", (1, y), text, "end", dy=-6)
        frame.labels.reserve((1, y - 6), text, "end")
