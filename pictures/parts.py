"""Horizontal bars for the cells of a table: a part and a whole."""

from pictures.canvas import Canvas
from pictures.markup import Drawn


def part_bar(
    part: float,
    whole: float | None = None,
    *,
    most: float,
    sentence: str,
    track: bool = False,
    height: int = 10,
) -> Drawn:
    """Draw a strong bar for the part on a pale one for the whole; `most` fills the cell.

    With `track` a faint bar shows `most`.
    """
    canvas = Canvas(height)
    if track:
        canvas.rect("bar nothing", (0, 0), (1, height))
    if whole is not None:
        canvas.rect("bar mine pale", (0, 0), (_share(whole, most), height))
    canvas.rect("bar mine", (0, 0), (_share(part, most), height))
    return canvas.svg("cell", sentence)


def _share(value: float, most: float) -> float:
    """Return the part of the cell, from 0 to 1; 0 for a gap."""
    if not most > 0 or not value > 0:
        return 0.0
    return min(value / most, 1.0)
