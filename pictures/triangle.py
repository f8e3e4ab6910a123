"""The lower triangle of a table of things compared with each other, in squares at every width."""

import math
from collections.abc import Sequence

from pictures.canvas import Canvas, Square, cut, margin_for
from pictures.heat import CLASSES, LABEL, Cell, draw, draw_key, key_of, shade_of
from pictures.numbers import Rows, floats, known, written
from pictures.picture import Picture

# So many things have names at both sides; of more, only groups are named, at the left.
FEW = 16


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

    Of many things only their `groups` are named, such as teams, whose things stand together. The table has the pairs, the
    highest value first; of many things, for each only the one that it has the highest value with.
    """
    n, side = len(names), max(len(names) - 1, 1)
    pairs = [(i, j) for i in range(1, n) for j in range(i)]
    numbers = {(i, j): floats([values[i][j]])[0] for i, j in pairs}
    key = key_of(numbers.values(), low, high, classes)
    labels = [cut(name) for name in (names if n <= FEW or not groups else groups)]
    canvas = Square(width=width, margin=margin_for(labels))
    _name(canvas, labels, [cut(name) for name in names] if n <= FEW else [])
    cells = []
    for i, j in pairs:
        href = hrefs[i][j] if hrefs else ""
        told = (
            f"{names[i]}, {names[j]}: {written(numbers[i, j], decimals)}"
            if href or n <= FEW
            else ""
        )
        cells.append(Cell(j, i - 1, shade_of(numbers[i, j], key), told, href))
    draw(canvas, cells, (side, side), (0, 1))
    draw_key(canvas, key, decimals, 1, 10)
    shown = _closest(numbers, n) if n > FEW else pairs
    shown.sort(key=lambda pair: _order(numbers[_pair(*pair)]))
    return Picture(
        canvas.svg("heat", sentence),
        sentence,
        heads,
        tuple(
            (names[i], names[j], written(numbers[_pair(i, j)], decimals))
            for i, j in shown
        ),
        tuple(hrefs[max(pair)][min(pair)] for pair in shown) if hrefs else (),
    )


def _pair(one: int, other: int) -> tuple[int, int]:
    return max(one, other), min(one, other)


def _order(value: float) -> float:
    return -value if known([value]) else math.inf


def _closest(numbers: dict[tuple[int, int], float], n: int) -> list[tuple[int, int]]:
    """Return each thing with the one that it has the highest value with."""
    return [
        min(
            ((i, j) for j in range(n) if j != i),
            key=lambda pair: _order(numbers[_pair(*pair)]),
        )
        for i in range(n)
    ]


def _name(canvas: Canvas, labels: Sequence[str], columns: Sequence[str]) -> None:
    """Name each run of equal labels at the left, where there is room; and the columns of few, each above its first cell."""
    side, start, last = max(len(labels) - 1, 1), 1, -1.0
    for n in range(1, len(labels) + 1):
        if n < len(labels) and labels[n] == labels[start]:
            continue
        middle = ((start + n) / 2 - 1) / side
        if start < len(labels) and (middle - last) * canvas.plot >= LABEL:
            canvas.text("tick", (0, middle), labels[start], "end", dx=-6, dy=4)
            last = middle
        start = n
    for n, name in enumerate(columns[:-1]):
        canvas.text("tick", (n / side, n / side), name, dx=2, dy=-5)
