"""The lower triangle of a table of things compared with each other, in squares at every width."""

import math
from collections.abc import Sequence

import numpy as np

from cleverdon.pictures.canvas import CHARACTER, Canvas, Square, cut, margin_for
from cleverdon.pictures.cells import LABEL, NO_CELL, Matrix, Shades, Titles, draw, draw_key, key_of
from cleverdon.pictures.numbers import GAP, Rows, floats, written
from cleverdon.pictures.picture import Picture, redrawn

# The most things with names on both sides; more have names, or those of groups, at the left.
FEW = 16
# The width of a picture with its names on a phone and in half a page, in pixels.
PHONE, HALF = 320, 540
# More squares have no titles.
MOST_TITLES = 500


@redrawn
def triangle(  # noqa: PLR0913 - options by name, most have a usual value
    values: Rows,
    names: Sequence[str],
    *,
    sentence: str,
    heads: tuple[str, str, str],
    groups: Sequence[str] = (),
    low: float | None = None,
    high: float | None = None,
    decimals: int | None = None,
    falling: bool = False,
    width: int | None = None,
) -> Picture:
    """Draw row i of `values`, thing i with each thing before it; the rest of a row is left out.

    The lowest values are strong if `falling`.

    Of many things only `groups` of neighbors are named, such as teams, or without groups the rows.
    The table has the pairs, the highest value first; of many things, each with its closest only.
    """
    n, is_few = len(names), len(names) <= FEW
    numbers = _lower(values, n)
    key = key_of(numbers, low, high)._replace(falling=falling)
    labels = [cut(name) for name in (names if is_few or not groups else groups)]
    canvas = Square(width=width, margin=margin_for(labels))
    if is_few or groups:
        _name_runs(canvas, labels)
    else:
        _name_rows(canvas, labels)
    if is_few:
        _name_columns(canvas, labels)
    shades = np.where(np.tri(n, k=-1, dtype=bool), key.shades(numbers), NO_CELL)
    _fill(canvas, shades[1:, :-1], _titles(numbers, names, decimals), is_few=is_few)
    draw_key(canvas, key, decimals, 1, 10)
    rows = _table(numbers, names, decimals)
    return Picture(canvas.svg("heat", sentence), sentence, heads, rows)


def _lower(values: Rows, n: int) -> Matrix:
    """Return the values below the diagonal, and gaps elsewhere."""
    numbers = np.full((n, n), GAP)
    for i in range(1, n):
        numbers[i, :i] = floats(values[i][:i])
    return numbers


def _titles(numbers: Matrix, names: Sequence[str], decimals: int | None) -> Titles:
    def title(row: int, j: int) -> str:
        i = row + 1
        return f"{names[i]}, {names[j]}: {written(numbers[i, j], decimals)}"

    return title


def _fill(canvas: Canvas, shades: Shades, titles: Titles, *, is_few: bool) -> None:
    """Draw the squares; of many, only those with a value have titles."""
    if is_few:
        draw(canvas, shades, (0, 1), titles)
        return
    has_value = shades >= 0
    draw(canvas, np.where(has_value, NO_CELL, shades), (0, 1))
    has_titles = int(has_value.sum()) <= MOST_TITLES
    draw(canvas, np.where(has_value, shades, NO_CELL), (0, 1), titles if has_titles else None)


def _table(
    numbers: Matrix, names: Sequence[str], decimals: int | None
) -> tuple[tuple[str, str, str], ...]:
    n = len(names)
    pairs = _closest(numbers) if n > FEW else [(i, j) for i in range(n) for j in range(i)]
    rows = [(i, j, float(numbers[max(i, j), min(i, j)])) for i, j in pairs]
    rows.sort(key=lambda row: math.inf if math.isnan(row[2]) else -row[2])
    return tuple((names[i], names[j], written(value, decimals)) for i, j, value in rows)


def _closest(numbers: Matrix) -> list[tuple[int, int]]:
    """Return each thing and the one with which it has the highest value."""
    both = np.nan_to_num(np.fmax(numbers, numbers.T), nan=-math.inf)
    np.fill_diagonal(both, -math.inf)
    return [(i, j if j != i else int(i == 0)) for i, j in enumerate(both.argmax(axis=1).tolist())]


def _name_runs(canvas: Canvas, labels: Sequence[str]) -> None:
    """Name each run of equal labels at the left, where there is room."""
    side, start, last = max(len(labels) - 1, 1), 1, -1.0
    for n in range(1, len(labels) + 1):
        if n < len(labels) and labels[n] == labels[start]:
            continue
        # The first row has no cell, but counts: else the second run's name would be too close.
        first = 0 if start == 1 and labels[:1] == labels[1:2] else start
        middle = ((first + n) / 2 - 1) / side
        if start < len(labels) and (middle - last) * canvas.plot >= LABEL:
            canvas.text("tick", (0, middle), labels[start], "end", dx=-6, dy=4)
            last = middle
        start = n


def _name_columns(canvas: Canvas, columns: Sequence[str]) -> None:
    """Name each column above its first cell; the last ones, named at the left, need room."""
    side = max(len(columns) - 1, 1)
    plot = (PHONE + HALF) / 2 - canvas.left if canvas.width is None else canvas.plot
    for n, name in enumerate(columns[:-1]):
        if n and len(name) * CHARACTER > (1 - n / side) * plot:
            continue
        canvas.text("tick wide" if n else "tick", (n / side, n / side), name, dx=2, dy=-5)


def _name_rows(canvas: Canvas, labels: Sequence[str]) -> None:
    """Name each row at the left where there is room; names without room on a phone are `broad`."""
    side = max(len(labels) - 1, 1)
    plots = (PHONE, HALF) if canvas.width is None else (canvas.width, canvas.width)
    narrow, wide = (max(math.ceil(LABEL * side / (plot - canvas.left)), 1) for plot in plots)
    wide = narrow if narrow % wide else wide  # so that all have room for a phone's names
    for n in range(1, len(labels)):
        if (n - 1) % wide == 0:
            cls = "tick" if (n - 1) % narrow == 0 else "tick broad"
            canvas.text(cls, (0, (n - 0.5) / side), labels[n], "end", dx=-6, dy=4)
