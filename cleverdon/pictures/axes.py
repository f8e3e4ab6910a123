"""The frame of a picture with two axes: grid lines with their values at the left, ticks below."""

from collections.abc import Sequence
from typing import NamedTuple

from cleverdon.pictures.canvas import CHARACTER, NARROW, Canvas, Place, margin_for
from cleverdon.pictures.labels import Labels, anchor_at
from cleverdon.pictures.scales import Axis

BELOW = 22
ABOVE = 18
SPACE = 18


class Plot(NamedTuple):
    """A canvas with its two scales; `at` gives the place of a pair of values."""

    canvas: Canvas
    across: Axis
    up: Axis
    top: float
    bottom: float
    labels: Labels

    def x(self, value: float) -> float:
        return self.across.at(value)

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * self.up.at(value)

    def at(self, x: float, y: float) -> Place:
        return self.x(x), self.y(y)


def fitting(labels: Sequence[str]) -> int:
    """Return how many labels as long as these fit below a picture."""
    longest = max((len(label) for label in labels), default=1)
    return max(2, int(NARROW // (longest * CHARACTER + SPACE)))


def plot(
    across: Axis,
    up: Axis,
    *,
    height: int,
    width: int | None,
    names: tuple[str, str] = ("", ""),
    top: float = ABOVE,
) -> Plot:
    """Draw the frame, with the names of the axes if given: a page has them in its text."""
    canvas = Canvas(height, width=width, margin=margin_for(up.labels))
    bottom = height - BELOW - (16 if names[0] else 0)
    frame = Plot(canvas, across, up, top + (16 if names[1] else 0), bottom, Labels(canvas))
    _grid(frame)
    _ticks(frame)
    if names[0]:
        canvas.text("tick", (1, height - 4), names[0], "end")
    if names[1]:
        canvas.text("tick", (0, 11), names[1], dx=-canvas.left)
    return frame


def _grid(frame: Plot) -> None:
    """Draw a line at each value of the left axis, a stronger one at 0."""
    canvas = frame.canvas
    for value, label in frame.up.named:
        y = frame.y(value)
        canvas.line("zero" if value == 0 else "grid", (0, y), (1, y))
        canvas.text("tick", (0, y), label, "end", dx=-8, dy=4)
    if 0 not in frame.up.ticks:
        canvas.line("base", (0, frame.bottom), (1, frame.bottom))


def _ticks(frame: Plot) -> None:
    for value, label in frame.across.named:
        part = frame.x(value)
        anchor = anchor_at(frame.canvas, part, label)
        frame.canvas.text("tick", (part, frame.bottom), label, anchor, dy=17)


def limit(frame: Plot, value: float, whose: str) -> None:
    """Draw a horizontal line at a value."""
    y = frame.y(value)
    frame.canvas.line(f"limit {whose}", (0, y), (1, y))
    frame.labels.avoid_line([(0, y), (1, y)])


def upright(frame: Plot, value: float, label: str) -> None:
    """Draw a vertical line at a value, with its label at the top."""
    part = frame.x(value)
    frame.canvas.line("upright second", (part, 0), (part, frame.bottom))
    frame.labels.avoid_upright(part, frame.bottom)
    if label:
        anchor, dx = ("end", -6) if part > 0.5 else ("start", 6)
        frame.canvas.text("label strong second", (part, 11), label, anchor, dx=dx)
        frame.labels.reserve((part, 11), label, anchor)
