"""Heat maps: values of rows by columns, as shades."""

from collections.abc import Sequence

import numpy as np

from cleverdon.pictures.canvas import CHARACTER, Canvas, cut, margin_for
from cleverdon.pictures.cells import KEY, LABEL, Mask, draw, draw_key, hatch, key_of
from cleverdon.pictures.numbers import Rows, floats, known, median, written
from cleverdon.pictures.picture import Picture, redrawn

ROW, LOWEST_ROW = 18, 4
# The most columns of the table; with more it sums up each row.
COLUMNS = 12


@redrawn
def heat_map(  # noqa: PLR0913 - options by name, most have a usual value
    values: Rows,
    row_names: Sequence[str],
    column_names: Sequence[str],
    *,
    sentence: str,
    corner: str,
    high: float | None = None,
    decimals: int | None = None,
    hatched: Mask | None = None,
    width: int | None = None,
) -> Picture:
    """Draw a cell for each value of the rows by columns, in the order given.

    `corner` heads the table's first column. Cells of the mask `hatched`, [rows x columns], have a
    stroke across.
    """
    n_rows, names = len(row_names), [cut(name) for name in row_names]
    numbers = np.array([floats(row) for row in values])
    numbers = numbers.reshape(n_rows, len(column_names))
    key, row, head = key_of(numbers, None, high), _row_height(n_rows), _head(column_names)
    canvas = Canvas(head + row * n_rows + KEY, width=width, margin=margin_for(names))
    _column_names(canvas, column_names, head)
    _row_names(canvas, names, head, row)
    draw(canvas, key.shades(numbers), (head, row * n_rows))
    if hatched is not None and hatched.any():
        hatch(canvas, hatched, (head, row * n_rows))
    draw_key(canvas, key, decimals, canvas.height - KEY, 10)
    heads = (corner, *column_names)
    heads, rows = _table(numbers.tolist(), row_names, heads, decimals)
    return Picture(canvas.svg("heat", sentence), sentence, heads, rows)


def _table(
    numbers: Sequence[Sequence[float]],
    row_names: Sequence[str],
    heads: tuple[str, ...],
    decimals: int | None,
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return all values, or with too many columns each row's lowest, median and highest."""
    if len(heads) - 1 <= COLUMNS:
        return heads, tuple(
            (name, *(written(value, decimals) for value in row))
            for name, row in zip(row_names, numbers, strict=True)
        )
    rows = []
    for name, row in zip(row_names, numbers, strict=True):
        places = sorted((value, n) for n, value in enumerate(row) if known([value]))
        ends = [(heads[n + 1], written(value, decimals)) for value, n in places[:1] + places[-1:]]
        low, high = ends or [("", ""), ("", "")]
        rows.append((name, *low, written(median(row), decimals), *high))
    return (heads[0], "lowest at", "lowest", "median", "highest at", "highest"), tuple(rows)


def _row_height(n: int) -> int:
    """Return the height of a row in pixels: lower, the more there are."""
    return max(LOWEST_ROW, min(ROW, 640 // max(n, 1)))


def _head(names: Sequence[str]) -> float:
    """Return the height of the upright column names."""
    return max((len(cut(name, 14)) for name in names), default=0) * CHARACTER + 8


def _column_names(canvas: Canvas, names: Sequence[str], head: float) -> None:
    """Write the names upright, as many as there is room for, at equal distances."""
    every = -(-len(names) * LABEL // int(canvas.plot)) if names else 1
    for n in range(0, len(names), every):
        part = (n + 0.5) / len(names)
        canvas.upright((part, head - 5), cut(names[n], 14))


def _row_names(canvas: Canvas, names: Sequence[str], head: float, row: float) -> None:
    every = -(-LABEL // int(row))
    for n in range(0, len(names), every):
        y = head + row * (n + 0.5)
        canvas.text("tick", (0, y), names[n], "end", dx=-6, dy=4)
