"""Histograms."""

from bisect import bisect_right
from collections.abc import Sequence

from cleverdon.pictures.axes import fitting, plot
from cleverdon.pictures.numbers import Numbers, floats, known, written
from cleverdon.pictures.picture import Picture, redrawn
from cleverdon.pictures.scales import Axis, scale, ticks_of


@redrawn
def histogram(
    values: Numbers,
    *,
    sentence: str,
    heads: tuple[str, str],
    edges: Sequence[float],
    around_zero: bool = False,
    last: str = "",
    width: int | None = None,
) -> Picture:
    """Draw a bar for each bin between `edges`; a bin has its lower end.

    With `around_zero` bins below 0 are ochre. `last` is what the last bin is called, if it has more
    than what is between its edges.
    """
    counts = count(known(floats(values)), edges)
    across = _across(edges)
    up = scale([float(n) for n in counts], low=0, high=1, whole=True)
    frame = plot(across, up, height=180, width=width, names=heads if width else ("", ""))
    rows = []
    for low, high, n in zip(edges, edges[1:], counts, strict=False):
        left, right = frame.x(low), frame.x(high)
        gap = min((right - left) * 0.06, 0.004)
        text = f"{written(low)} to {written(high)}"
        text = last if last and high == edges[-1] else text
        rows.append((text, written(n)))
        if n:
            cls = "bar second" if around_zero and high <= 0 else "bar mine"
            size = right - left - gap, frame.bottom - frame.y(n)
            frame.canvas.rect(cls, (left + gap / 2, frame.y(n)), size, f"{text}: {written(n)}")
    return Picture(frame.canvas.svg("bars", sentence), sentence, heads, tuple(rows))


def count(numbers: Sequence[float], edges: Sequence[float]) -> list[int]:
    """Count the numbers in each bin, the last one with its upper end.

    >>> count([0, 1, 1.5, 2, 3], [0, 1, 2])
    [1, 3]
    """
    counts = [0] * (len(edges) - 1)
    for number in numbers:
        if edges[0] <= number <= edges[-1]:
            counts[min(bisect_right(edges, number), len(counts)) - 1] += 1
    return counts


def _across(edges: Sequence[float]) -> Axis:
    low, high = edges[0], edges[-1]
    ticks, labels = ticks_of(low, high, 6)
    ticks, labels = ticks_of(low, high, min(6, fitting(labels)))
    return Axis(low, high, ticks, labels)
