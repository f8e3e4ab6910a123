"""The geometry of a small line chart, as plain data for an SVG template. Coordinates are in units of its view box."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

WIDTH, HEIGHT = 640, 320
LEFT, TOP, RIGHT, BOTTOM = 64, 16, 624, 272


class XTick(NamedTuple):
    """A labeled position on the horizontal axis."""

    x: float
    label: str


class YTick(NamedTuple):
    """A labeled position on the vertical axis; y grows downward."""

    y: float
    label: str


@dataclass(frozen=True)
class LineChart:
    """A line in a box; `points` is the attribute of an SVG polyline: "x,y x,y …"."""

    points: str
    x_ticks: tuple[XTick, ...]
    y_ticks: tuple[YTick, ...]
    x_label: str
    y_label: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    top: int = TOP
    right: int = RIGHT
    bottom: int = BOTTOM

    def at(self, position: int) -> tuple[float, float]:
        """Return (x, y) of the value at a position, counted from 1."""
        x, y = self.points.split()[position - 1].split(",")
        return float(x), float(y)

    @property
    def view_box(self) -> str:
        return f"0 0 {self.width} {self.height}"


def line_chart(values: Sequence[int], *, x_label: str, y_label: str) -> LineChart:
    """Draw values at positions 1, 2, 3 … as a line over a vertical axis from 0. ValueError for no values or a negative one."""
    if len(values) == 0 or min(values) < 0:
        raise ValueError("A line needs at least one value, and none below 0.")
    steps = ticks(0, max(values), 5)
    xs = [_x(position, len(values)) for position in range(1, len(values) + 1)]
    ys = [_y(value, steps[-1]) for value in values]
    return LineChart(
        points=" ".join(f"{x:g},{y:g}" for x, y in zip(xs, ys, strict=True)),
        x_ticks=tuple(XTick(xs[p - 1], f"{p:,}") for p in _positions(len(values))),
        y_ticks=tuple(YTick(_y(step, steps[-1]), f"{step:,}") for step in steps),
        x_label=x_label,
        y_label=y_label,
    )


def _x(position: int, last: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * (position - 1) / max(last - 1, 1), 2)


def _y(value: int, top: int) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * value / max(top, 1), 2)


def _positions(last: int) -> list[int]:
    """Return the positions that get a tick: the first, and the round ones after it."""
    return [1, *(position for position in ticks(0, last, 6) if 1 < position <= last)]


def ticks(low: int, high: int, at_most: int) -> list[int]:
    """Return round numbers, 1, 2 or 5 times a power of ten apart, that cover low to high.

    >>> ticks(0, 730, 5)
    [0, 200, 400, 600, 800]
    """
    step = nice_step((high - low) / at_most)
    return list(range(low // step * step, high + step, step))


def nice_step(at_least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 … that is at least `at_least`."""
    power = 10 ** max(0, math.floor(math.log10(at_least))) if at_least > 1 else 1
    return next(
        factor * power for factor in (1, 2, 5, 10) if factor * power >= at_least
    )
