"""Strips: the grades of a topic's documents in order, and one value among others."""

from collections.abc import Iterable, Sequence
from typing import Literal

from cleverdon.pictures.canvas import Canvas, Place
from cleverdon.pictures.markup import Drawn
from cleverdon.pictures.numbers import Numbers, floats, known, median, written
from cleverdon.pictures.picture import each
from cleverdon.pictures.rows import anchor
from cleverdon.pictures.scales import Axis, scale

# A document without a grade.
OPEN = None
LATER: Literal["later"] = "later"
IMPOSSIBLE: Literal["impossible"] = "impossible"
OTHERS: Literal["others"] = "others"  # judged, with a grade hidden from the reader
Mark = int | Literal["later", "impossible", "others"] | None
# The number of colors of grades; higher grades have the last one.
SHADES = 3
SMALL = 30
# The part of the height below the ground if the scale has grades below 0.
BELOW = 0.25


class _Bars:
    """The bars of documents with these marks: class, upper edge and height."""

    def __init__(self, marks: Iterable[Mark], highest: int, lowest: int, height: float) -> None:
        grades = [mark for mark in marks if mark is not None and not isinstance(mark, str)]
        self.highest, self.lowest, self.height = highest, min([lowest, *grades]), height
        below = 0 if self.lowest >= 0 else max(round(height * BELOW), 5)
        self.ground = height - below

    def of(self, mark: Mark) -> tuple[str, float, float]:
        if mark is None or isinstance(mark, str):
            return self._ungraded(mark)
        if mark < 0:
            high = (self.height - self.ground) * min(mark / min(self.lowest, -1), 1)
            return "grade-below", self.ground, max(high, 3)
        if mark == 0:
            is_small = self.height < SMALL
            return ("grade-0", self.ground - 3, 3) if is_small else self._stub()
        high = max(self.ground * min(mark / max(self.highest, 1), 1), 5)
        return f"grade-{min(mark, SHADES)}", self.ground - high, high

    def _stub(self) -> tuple[str, float, float]:
        return "grade-0 stub", self.ground - 5.5, 5

    def _ungraded(self, mark: str | None) -> tuple[str, float, float]:
        if mark == LATER:
            return "later", self.ground - 6, 3
        if mark == IMPOSSIBLE:
            return "impossible", self.ground / 2, 3
        if mark == OTHERS:
            return "judged-before", self.ground / 2, self.ground / 2
        return "open", self.ground - 1.5, 1.5


def grade_strip(
    marks: Sequence[Mark],
    *,
    highest: int,
    lowest: int = 0,
    sentence: str,
    hrefs: Sequence[str] = (),
    titles: Sequence[str] = (),
    height: int = 44,
) -> Drawn:
    """Draw a bar for each document, as high as its grade: a stub for 0, a thin line if open.

    Grades below 0 hang from a raised ground. A document left for later has a dash, one that cannot
    be judged a dash above the ground, one that others have judged a pale bar of half the height.
    """
    canvas, n = Canvas(height), len(marks)
    bars = _Bars(marks, highest, lowest, height)
    links, texts = each(hrefs, n), each(titles, n)
    kinds: dict[str, list[tuple[Place, Place]]] = {}
    for place, mark in enumerate(marks):
        kind, top, high = bars.of(mark)
        box = (place / n, top), (_wide(n), high)
        if links[place] or texts[place]:
            canvas.rect(kind, *box, texts[place], links[place])
        else:
            kinds.setdefault(kind, []).append(box)
    for kind in sorted(kinds):
        canvas.blocks(kind, kinds[kind])
    return canvas.svg("cell strip", sentence)


def grade_blocks(
    counts: Sequence[tuple[Mark, int]],
    *,
    highest: int,
    lowest: int = 0,
    sentence: str,
    height: int = 18,
) -> Drawn:
    """Draw how many documents have each grade, in the order given; higher grades are taller."""
    canvas, n = Canvas(height), sum(count for _, count in counts)
    bars = _Bars((mark for mark, _ in counts), highest, lowest, height)
    start = 0.0
    for mark, count in counts:
        if count:
            kind, top, high = bars.of(mark)
            canvas.rect(kind, (start / n, top), (count / n, high))
            start += count
    return canvas.svg("cell strip", sentence)


def _wide(n: int) -> float:
    """Return the part of the strip that a bar takes; many bars are close together."""
    return (0.72 if n <= 150 else 0.85) / n


def spread_strip(
    values: Numbers,
    mine: float | None,
    *,
    sentence: str,
    axis: Axis | None = None,
    with_median: bool = True,
    height: int = 34,
) -> Drawn:
    """Draw a tick for each value, a dot for mine, and the median with its name."""
    numbers = floats(values)
    own = floats([mine])[0]
    axis = axis or scale(numbers, [own])
    canvas, middle = Canvas(height), height - 10.0
    for x in map(axis.at, known(numbers)):
        canvas.line("one", (x, middle - 6), (x, middle + 6))
    if with_median and known(numbers):
        x = axis.at(median(numbers))
        canvas.line("middle-tick", (x, middle - 9), (x, middle + 9))
        canvas.text("tick", (x, 10), "median", anchor(x, 0.15))
    if known([own]):
        canvas.dot("dot mine", (axis.at(own), middle), 5, written(own))
    return canvas.svg("cell strip", sentence)
