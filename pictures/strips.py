"""Strips: the grades of a topic's documents in the order of judging, and one value among all others."""

from collections.abc import Sequence
from typing import Literal

from pictures.canvas import Canvas, Place
from pictures.numbers import Numbers, floats, known, median, written
from pictures.picture import Picture, each, redrawn
from pictures.scales import Scale, scale

# What a document has instead of a grade.
OPEN = None
LATER: Literal["later"] = "later"
IMPOSSIBLE: Literal["impossible"] = "impossible"
OTHERS: Literal["others"] = "others"  # judged, and the reader is not told how
Mark = int | Literal["later", "impossible", "others"] | None
# There are so many colors of grades; higher grades have the last one.
SHADES = 3
SMALL = 30
# What is kept below the ground where the scale has grades below 0.
BELOW = 0.25


@redrawn
def grade_strip(
    marks: Sequence[Mark],
    *,
    highest: int,
    lowest: int = 0,
    sentence: str,
    hrefs: Sequence[str] = (),
    titles: Sequence[str] = (),
    height: int = 44,
    width: int | None = None,
) -> Picture:
    """Draw a bar for each document, as high as its grade: a stub for 0, a thin line if it is open.

    Where a scale goes below 0, the ground is raised, and the bars of such grades hang from it. One left for later has a
    dash, one that cannot be judged a dash above the ground, one that somebody else has judged a pale bar of half the height.
    """
    canvas, n = Canvas(height, width=width), len(marks)
    lowest = min(
        [lowest, *(mark for mark in marks if mark is not None and not isinstance(mark, str))]
    )
    ground = _ground(height, lowest)
    links, texts = each(hrefs, n), each(titles, n)
    kinds: dict[str, list[tuple[Place, Place]]] = {}
    for place, mark in enumerate(marks):
        kind, top, high = _looks(mark, highest, lowest, ground, height)
        box = (place / n, top), (_wide(n), high)
        if links[place] or texts[place]:
            canvas.rect(kind, *box, texts[place], links[place])
        else:
            kinds.setdefault(kind, []).append(box)
    for kind in sorted(kinds):
        canvas.blocks(kind, kinds[kind])
    return Picture(canvas.svg("cell strip", sentence), sentence)


@redrawn
def grade_blocks(
    counts: Sequence[tuple[Mark, int]],
    *,
    highest: int,
    lowest: int = 0,
    sentence: str,
    height: int = 18,
    width: int | None = None,
) -> Picture:
    """Draw how many documents have each grade, in the order given: as wide as they are many, as high as the grade."""
    canvas, n = Canvas(height, width=width), sum(count for _, count in counts)
    lowest = min(
        [lowest, *(mark for mark, _ in counts if mark is not None and not isinstance(mark, str))]
    )
    ground = _ground(height, lowest)
    start = 0.0
    for mark, count in counts:
        if count:
            kind, top, high = _looks(mark, highest, lowest, ground, height)
            canvas.rect(kind, (start / n, top), (count / n, high))
            start += count
    return Picture(canvas.svg("cell strip", sentence), sentence)


def _wide(n: int) -> float:
    """Return the part of the strip that a bar takes; many bars stand close."""
    return (0.72 if n <= 150 else 0.85) / n


def _ground(height: float, lowest: int) -> float:
    """Return the line on which bars stand: the lower edge, unless some hang below it."""
    return height if lowest >= 0 else height - max(round(height * BELOW), 5)


def _looks(
    mark: Mark, highest: int, lowest: int, ground: float, height: float
) -> tuple[str, float, float]:
    """Return the class, the upper edge and the height of a document's bar."""
    if mark is None or isinstance(mark, str):
        return _ungraded(mark, ground)
    if mark < 0:
        return "grade-below", ground, max((height - ground) * min(mark / min(lowest, -1), 1), 3)
    if mark == 0:
        is_small = height < SMALL
        return ("grade-0", ground - 3, 3) if is_small else ("grade-0 stub", ground - 5.5, 5)
    high = max(ground * min(mark / max(highest, 1), 1), 5)
    return f"grade-{min(mark, SHADES)}", ground - high, high


def _ungraded(mark: Mark, ground: float) -> tuple[str, float, float]:
    if mark == LATER:
        return "later", ground - 6, 3
    if mark == IMPOSSIBLE:
        return "impossible", ground / 2, 3
    if mark == OTHERS:
        return "judged-before", ground / 2, ground / 2
    return "open", ground - 1.5, 1.5


@redrawn
def spread_strip(
    values: Numbers,
    mine: float | None,
    *,
    sentence: str,
    axis: Scale | None = None,
    interval: tuple[float, float] | None = None,
    with_median: bool = True,
    height: int = 34,
    width: int | None = None,
) -> Picture:
    """Draw a tick for each value and a dot for mine. The median has a stronger tick and its name."""
    numbers = floats(values)
    own = floats([mine])[0]
    ends = floats(() if interval is None else interval)
    axis = axis or scale(numbers, [own], ends)
    canvas, middle = Canvas(height, width=width), height - 10.0
    for x in map(axis.at, known(numbers)):
        canvas.line("one", (x, middle - 6), (x, middle + 6))
    if len(known(ends)) == 2:
        low, high = (min(max(axis.at(end), 0), 1) for end in ends)
        canvas.line("whisker mine wide", (low, middle), (high, middle))
    if with_median and known(numbers):
        x = axis.at(median(numbers))
        canvas.line("middle-tick", (x, middle - 9), (x, middle + 9))
        canvas.text("tick", (x, 10), "median", _anchor(x))
    if known([own]):
        canvas.dot("dot mine", (axis.at(own), middle), 5, written(own))
    return Picture(canvas.svg("cell strip", sentence), sentence)


def _anchor(x: float) -> str:
    """Return an anchor for a short word that keeps it inside a narrow strip."""
    if x < 0.15:
        return "start"
    return "end" if x > 0.85 else "middle"
