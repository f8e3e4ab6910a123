"""The lower triangle of a table of things compared with each other, in squares at every width."""

import math
from collections.abc import Sequence

import numpy as np

from pictures.canvas import CHARACTER, Canvas, Square, cut, margin_for
from pictures.cells import CLASSES, LABEL, NO_CELL, Matrix, Shades, Told, draw, draw_key, key_of
from pictures.numbers import GAP, Rows, floats, written
from pictures.picture import Picture, redrawn

# So many things have names at both sides; of more, they or only their groups are named, at the left.
FEW = 16
# The pixels that a picture with its names has on a phone and in half a page.
PHONE, HALF = 320, 540
# Of more squares with a value, none says under the mouse what it is.
MOST_TOLD = 500

Pair = tuple[int, int]


@redrawn
def triangle(
    values: Rows,
    names: Sequence[str],
    *,
    sentence: str,
    heads: tuple[str, str, str],
    groups: Sequence[str] = (),
    low: float | None = None,
    high: float | None = None,
    decimals: int | None = None,
    classes: int = CLASSES,
    hrefs: Sequence[Sequence[str]] = (),
    width: int | None = None,
) -> Picture:
    """Draw what row i of `values` says of thing i with each thing before it; the rest of a row is left out.

    Of many things only their `groups` are named, such as teams, whose things stand together, or, without groups, the rows.
    The table has the pairs, the highest value first; of many things, for each only the one that it has the highest value with.
    """
    n = len(names)
    numbers = _lower(values, n)
    key = key_of(numbers, low, high, classes)
    labels = [cut(name) for name in (names if n <= FEW or not groups else groups)]
    canvas = Square(width=width, margin=margin_for(labels))
    if n <= FEW or groups:
        _name(canvas, labels, [cut(name) for name in names] if n <= FEW else [])
    else:
        _name_rows(canvas, labels)
    found = np.where(np.tri(n, k=-1, dtype=bool), key.shades(numbers), NO_CELL)
    _fill(
        canvas,
        found[1:, :-1],
        _told(numbers, names, hrefs, decimals),
        is_all=bool(hrefs) or n <= FEW,
    )
    draw_key(canvas, key, decimals, 1, 10)
    pairs = _closest(numbers) if n > FEW else [(i, j) for i in range(n) for j in range(i)]
    pairs.sort(key=lambda pair: _order(numbers[_lower_of(pair)]))
    return Picture(
        canvas.svg("heat", sentence),
        sentence,
        heads,
        tuple(
            (names[i], names[j], written(numbers[_lower_of((i, j))], decimals)) for i, j in pairs
        ),
        tuple(hrefs[i][j] for i, j in map(_lower_of, pairs)) if hrefs else (),
    )


def _lower(values: Rows, n: int) -> Matrix:
    """Return what is below the diagonal, and gaps elsewhere."""
    numbers = np.full((n, n), GAP)
    for i in range(1, n):
        numbers[i, :i] = floats(values[i][:i])
    return numbers


def _told(
    numbers: Matrix, names: Sequence[str], hrefs: Sequence[Sequence[str]], decimals: int | None
) -> Told:
    def told(row: int, j: int) -> tuple[str, str]:
        i = row + 1
        href = hrefs[i][j] if hrefs else ""
        return f"{names[i]}, {names[j]}: {written(numbers[i, j], decimals)}", href

    return told


def _fill(canvas: Canvas, shades: Shades, told: Told, *, is_all: bool) -> None:
    """Draw the squares; those of many tell what they are only where there is a value."""
    if is_all:
        draw(canvas, shades, (0, 1), told)
        return
    has_value = shades >= 0
    draw(canvas, np.where(has_value, NO_CELL, shades), (0, 1))
    few = int(has_value.sum()) <= MOST_TOLD
    draw(canvas, np.where(has_value, shades, NO_CELL), (0, 1), told if few else None)


def _lower_of(pair: Pair) -> Pair:
    return max(pair), min(pair)


def _order(value: float) -> float:
    return math.inf if math.isnan(value) else -value


def _closest(numbers: Matrix) -> list[Pair]:
    """Return each thing with the one that it has the highest value with."""
    both = np.nan_to_num(np.fmax(numbers, numbers.T), nan=-math.inf)
    np.fill_diagonal(both, -math.inf)
    return [(i, j if j != i else int(i == 0)) for i, j in enumerate(both.argmax(axis=1).tolist())]


def _name(canvas: Canvas, labels: Sequence[str], columns: Sequence[str]) -> None:
    """Name each run of equal labels at the left, where there is room; and the columns of few, each above its first cell."""
    side, start, last = max(len(labels) - 1, 1), 1, -1.0
    for n in range(1, len(labels) + 1):
        if n < len(labels) and labels[n] == labels[start]:
            continue
        # The first row has no cell, but it is one of its run: without it the second run's name would stand too close.
        first = 0 if start == 1 and labels[:1] == labels[1:2] else start
        middle = ((first + n) / 2 - 1) / side
        if start < len(labels) and (middle - last) * canvas.plot >= LABEL:
            canvas.text("tick", (0, middle), labels[start], "end", dx=-6, dy=4)
            last = middle
        start = n
    plot = (PHONE + HALF) / 2 - canvas.left if canvas.width is None else canvas.plot
    for n, name in enumerate(columns[:-1]):
        # The same name stands at the left of this row: where the last ones have no room, as on a phone, it is enough.
        if n and len(name) * CHARACTER > (1 - n / side) * plot:
            continue
        canvas.text("tick wide" if n else "tick", (n / side, n / side), name, dx=2, dy=-5)


def _name_rows(canvas: Canvas, labels: Sequence[str]) -> None:
    """Name each row at the left where there is room; on a fluid canvas those that have none on a phone are `broad`."""
    side = max(len(labels) - 1, 1)
    plots = (PHONE, HALF) if canvas.width is None else (canvas.width, canvas.width)
    narrow, wide = (max(math.ceil(LABEL * side / (plot - canvas.left)), 1) for plot in plots)
    wide = narrow if narrow % wide else wide  # those of a phone are among the others
    for n in range(1, len(labels)):
        if (n - 1) % wide == 0:
            cls = "tick" if (n - 1) % narrow == 0 else "tick broad"
            canvas.text(cls, (0, (n - 0.5) / side), labels[n], "end", dx=-6, dy=4)
