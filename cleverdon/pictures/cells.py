"""The cells of heat maps: values as shades, drawn in a box that stretches, with their key."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cleverdon.pictures.canvas import CHARACTER, Canvas
from cleverdon.pictures.markup import attributes, element, number
from cleverdon.pictures.numbers import Numbers, floats, written

CLASSES = 6
# The height of a line of names, and that of the key.
LABEL, KEY = 13, 26
# A cell without a value, and a place without a cell.
UNKNOWN, NO_CELL = -1, -2

Matrix = npt.NDArray[np.float64]
Shades = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
# The title of a cell, by row and column.
Titles = Callable[[int, int], str]


class ShadeKey(NamedTuple):
    """The classes of a heat map: equal steps between two ends, the lowest strong if `falling`."""

    low: float
    high: float
    falling: bool = False

    def shades(self, values: Matrix) -> Shades:
        """Return the class of each value, 0 for the palest; values beyond an end join its class."""
        span = self.high - self.low
        parts = (values - self.low) / span if span > 0 else np.ones_like(values)
        classes = np.clip(np.nan_to_num(parts) * CLASSES, 0, CLASSES - 1).astype(np.int64)
        classes = CLASSES - 1 - classes if self.falling else classes
        return np.where(np.isnan(values), UNKNOWN, classes)

    def edge(self, n: int) -> float:
        return self.low + (self.high - self.low) * n / CLASSES


def key_of(values: Matrix, low: float | None, high: float | None) -> ShadeKey:
    """Return the key from the lowest to the highest value, or between given ends."""
    numbers = values[~np.isnan(values)]
    least, most = (numbers.min(), numbers.max()) if numbers.size else (0.0, 0.0)
    return ShadeKey(least if low is None else low, most if high is None else high)


def shades(values: Numbers, *, low: float | None = None, high: float | None = None) -> list[str]:
    """Return a class for each `td` or `th`, "heat-0" the palest; "" for a gap."""
    numbers = np.array(floats(values))
    of_values = key_of(numbers, low, high).shades(numbers)
    return [f"heat-{shade}" if shade >= 0 else "" for shade in of_values.tolist()]


def draw(
    canvas: Canvas, shades: Shades, down: tuple[float, float], titles: Titles | None = None
) -> None:
    """Draw the cells into `down` (top, height): a path for each class, or marks with titles."""
    side = number(0.94 if max(shades.shape) <= 60 else 1, 2)
    inside = _marks(shades, side, titles) if titles else _paths(shades, side)
    canvas.parts.append(_box(canvas, shades.shape, down, "".join(inside)))


def _box(canvas: Canvas, shape: tuple[int, ...], down: tuple[float, float], inside: str) -> str:
    """Return marks in the units of cells, stretched over `down` (top, height)."""
    box = attributes(
        x=canvas.x(0),
        y=canvas.y(down[0]),
        width=canvas.across(1),
        height=canvas.down(down[1]),
        viewBox=f"0 0 {max(shape[1], 1)} {max(shape[0], 1)}",
        preserveAspectRatio="none",
    )
    return f"<svg{box}>{inside}</svg>"


def hatch(canvas: Canvas, cells: Mask, down: tuple[float, float]) -> None:
    """Draw a stroke across each of these cells, filled, so that it may stretch with them."""
    d = "".join(
        f"M{m} {n + 0.9:g}L{m + 0.9:g} {n}H{m + 1}V{n + 0.1:g}L{m + 0.1:g} {n + 1}H{m}z"
        for n, m in np.argwhere(cells).tolist()
    )
    strokes = element("path", attributes(cls="hatch", d=d))
    canvas.parts.append(_box(canvas, cells.shape, down, strokes))


def _class(shade: int) -> str:
    return "shade-none" if shade == UNKNOWN else f"shade-{shade}"


def _paths(shades: Shades, side: str) -> list[str]:
    paths = []
    for shade in np.unique(shades[shades != NO_CELL]).tolist():
        places = np.argwhere(shades == shade).tolist()
        d = "".join(f"M{column} {row}h{side}v{side}h-{side}z" for row, column in places)
        paths.append(element("path", attributes(cls=_class(shade), d=d)))
    return paths


def _marks(shades: Shades, side: str, titles: Titles) -> list[str]:
    return [
        element(
            "rect", attributes(cls=_class(shade), x=m, y=n, width=side, height=side), titles(n, m)
        )
        for n, row in enumerate(shades.tolist())
        for m, shade in enumerate(row)
        if shade != NO_CELL
    ]


def draw_key(canvas: Canvas, key: ShadeKey, decimals: int | None, top: float, dy: float) -> None:
    """Draw the classes below the cells, between the edges of the first and the last."""
    under = f"under {written(key.edge(1), decimals)}"
    over = f"over {written(key.edge(CLASSES - 1), decimals)}"
    start, end = (over, under) if key.falling else (under, over)
    # The squares have a fixed size, so everything is placed in pixels from the left edge.
    left = -canvas.left
    x = left + len(start) * CHARACTER + 4
    canvas.text("tick", (0, top), start, dx=left, dy=dy + 11)
    for n in range(CLASSES):
        outline = f"M{number(x + 20 * n)} {number(dy)}h18v14h-18z"
        canvas.shape(f"shade-{n} framed", (0, top), outline)
    canvas.text("tick", (0, top), end, dx=x + 20 * CLASSES + 6, dy=dy + 11)
