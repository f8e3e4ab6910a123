"""Heat maps: rows against columns, and the lower triangle of things compared with each other."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pictures.canvas import CHARACTER, Canvas, cut, margin_for
from pictures.markup import attributes, element, number
from pictures.numbers import Numbers, Rows, floats, known, median, written
from pictures.picture import Picture, each

CLASSES = 6
ROW, LOWEST_ROW = 18, 4
LABEL = 13
# The table shows so many columns; of more, each row in short.
COLUMNS = 12
# Where the key begins below the cells, and its height.
KEY = 26


class Cell(NamedTuple):
    """A square of a heat map: its place, its class, and what it tells and leads to."""

    column: int
    row: int
    cls: str
    title: str = ""
    href: str = ""


class Key(NamedTuple):
    """The classes of a heat map: equal steps between two ends."""

    low: float
    high: float
    n: int

    def shade(self, value: float) -> int:
        """Return the class of a value, 0 for the palest; values beyond the ends belong to the last."""
        if self.high <= self.low:
            return self.n - 1
        part = (value - self.low) / (self.high - self.low)
        return min(max(int(part * self.n), 0), self.n - 1)

    def edge(self, n: int) -> float:
        return self.low + (self.high - self.low) * n / self.n


def key_of(
    values: Iterable[float | None], low: float | None, high: float | None, n: int
) -> Key:
    numbers = known(floats(values)) or [0.0]
    return Key(
        min(numbers) if low is None else low, max(numbers) if high is None else high, n
    )


def shades(
    values: Numbers,
    *,
    low: float | None = None,
    high: float | None = None,
    n: int = CLASSES,
) -> list[str]:
    """Return a class for each cell of a table, "heat-0" the palest; nothing for a gap. They suit `td` and `th`."""
    key = key_of(values, low, high, n)
    return [
        f"heat-{key.shade(value)}" if known([value]) else "" for value in floats(values)
    ]


def heat_map(
    values: Rows,
    row_names: Sequence[str],
    column_names: Sequence[str],
    *,
    sentence: str,
    corner: str,
    low: float | None = None,
    high: float | None = None,
    decimals: int | None = None,
    classes: int = CLASSES,
    hrefs: Sequence[Sequence[str]] = (),
    width: int | None = None,
) -> Picture:
    """Draw a cell for each value of the rows by columns, in the order given. `corner` heads the table's first column.

    Cells are told apart under the mouse, and lead somewhere, only where `hrefs` has an address for each.
    """
    numbers = [floats(row) for row in values]
    key = key_of((value for row in numbers for value in row), low, high, classes)
    names = [cut(name) for name in row_names]
    across, row = len(column_names), _row_height(len(numbers))
    head = _head(column_names)
    canvas = Canvas(
        head + row * len(numbers) + KEY, width=width, margin=margin_for(names)
    )
    _column_names(canvas, column_names, head)
    _row_names(canvas, names, head, row)
    cells = _cells(numbers, key, row_names, column_names, hrefs, decimals)
    draw(canvas, cells, (across, len(numbers)), (head, row * len(numbers)))
    draw_key(canvas, key, decimals, canvas.height - KEY, 10)
    heads, rows = _table(numbers, row_names, (corner, *column_names), decimals)
    return Picture(canvas.svg("heat", sentence), sentence, heads, rows)


def _table(
    numbers: Sequence[Sequence[float]],
    row_names: Sequence[str],
    heads: tuple[str, ...],
    decimals: int | None,
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return all values; of more columns than a page has room for, what is lowest, median and highest of each row."""
    if len(heads) - 1 <= COLUMNS:
        return heads, tuple(
            (name, *(written(value, decimals) for value in row))
            for name, row in zip(row_names, numbers, strict=True)
        )
    rows = []
    for name, row in zip(row_names, numbers, strict=True):
        places = sorted((value, n) for n, value in enumerate(row) if known([value]))
        ends = [
            (heads[n + 1], written(value, decimals))
            for value, n in (places[:1] + places[-1:])
        ]
        low, high = ends or [("", ""), ("", "")]
        rows.append((name, *low, written(median(row), decimals), *high))
    return (heads[0], "lowest at", "lowest", "median", "highest at", "highest"), tuple(
        rows
    )


def _row_height(n: int) -> int:
    """Return pixels for a row: less, the more there are."""
    return max(LOWEST_ROW, min(ROW, 640 // max(n, 1)))


def _head(names: Sequence[str]) -> float:
    """Return the height of the upright column names."""
    return max((len(cut(name, 14)) for name in names), default=0) * CHARACTER + 8


def _column_names(canvas: Canvas, names: Sequence[str], head: float) -> None:
    """Write the names upright, only every so many if there is no room for all."""
    every = -(-len(names) * LABEL // int(canvas.plot)) if names else 1
    for n in range(0, len(names), every):
        part = (n + 0.5) / len(names)
        canvas.upright((part, head - 5), cut(names[n], 14))


def _row_names(canvas: Canvas, names: Sequence[str], head: float, row: float) -> None:
    every = -(-LABEL // int(row))
    for n in range(0, len(names), every):
        y = head + row * (n + 0.5)
        canvas.text("tick", (0, y), names[n], "end", dx=-6, dy=4)


def _cells(
    numbers: Sequence[Sequence[float]],
    key: Key,
    row_names: Sequence[str],
    column_names: Sequence[str],
    hrefs: Sequence[Sequence[str]],
    decimals: int | None,
) -> list[Cell]:
    cells = []
    links = hrefs or [()] * len(numbers)
    for n, row in enumerate(numbers):
        for m, (value, href) in enumerate(
            zip(row, each(links[n], len(row)), strict=True)
        ):
            told = (
                f"{row_names[n]}, {column_names[m]}: {written(value, decimals)}"
                if href
                else ""
            )
            cells.append(Cell(m, n, shade_of(value, key), told, href))
    return cells


def shade_of(value: float, key: Key) -> str:
    return f"shade-{key.shade(value)}" if known([value]) else "shade-none"


def draw(
    canvas: Canvas,
    cells: Sequence[Cell],
    size: tuple[int, int],
    down: tuple[float, float],
) -> None:
    """Draw cells in a box that stretches: as one path for each class, but those that tell something each as a mark."""
    top, high = down
    gap = 0.06 if max(size) <= 60 else 0
    side = number(1 - gap, 2)
    shapes: dict[str, list[str]] = {}
    marks = []
    for cell in cells:
        if cell.title or cell.href:
            marks.append(_mark(cell, side))
        else:
            shapes.setdefault(cell.cls, []).append(
                f"M{cell.column} {cell.row}h{side}v{side}h-{side}z"
            )
    paths = [
        f'<path class="{cls}" d="{"".join(shapes[cls])}"/>' for cls in sorted(shapes)
    ]
    box = attributes(
        x=canvas.x(0),
        y=canvas.y(top),
        width=canvas.across(1),
        height=canvas.down(high),
        viewBox=f"0 0 {size[0]} {size[1]}",
        preserveAspectRatio="none",
    )
    canvas.parts.append(f"<svg{box}>{''.join([*paths, *marks])}</svg>")


def _mark(cell: Cell, side: str) -> str:
    place = attributes(cls=cell.cls, x=cell.column, y=cell.row, width=side, height=side)
    return element("rect", place, cell.title, cell.href)


def draw_key(
    canvas: Canvas, key: Key, decimals: int | None, top: float, dy: float
) -> None:
    """Draw the classes below the cells, between the edges of the first and the last."""
    start, end = (
        f"under {written(key.edge(1), decimals)}",
        f"over {written(key.edge(key.n - 1), decimals)}",
    )
    # The squares have a fixed size, so all is placed in pixels from the left edge.
    left = -canvas.left
    x = left + len(start) * CHARACTER + 4
    canvas.text("tick", (0, top), start, dx=left, dy=dy + 11)
    for n in range(key.n):
        canvas.shape(
            f"shade-{n} framed",
            (0, top),
            f"M{number(x + 20 * n)} {number(dy)}h18v14h-18z",
        )
    canvas.text("tick", (0, top), end, dx=x + 20 * key.n + 6, dy=dy + 11)
