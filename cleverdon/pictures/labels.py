"""Where labels go: inside the picture, on no other label and, if possible, on no line.

The width of a fluid picture is unknown, so a place must be good on a phone and on a wide screen.
"""

from collections.abc import Sequence
from typing import NamedTuple

from cleverdon.pictures.canvas import CHARACTER, Canvas, Place
from cleverdon.pictures.markup import number

# The number of points of a line that labels avoid.
SAMPLES = 80
WIDE = 760
LINE = 15
HEIGHT = 11
AWAY = 9
NEAR = 0.2  # of the width
# The costs of lying on a line of data, a vertical line, another label, and outside the picture.
CROSSING, STRIKING, COVERING, OUTSIDE = 1, 50, 1000, 200


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


class Label(NamedTuple):
    """Lines of text near a place, the first one stronger."""

    at: Place
    lines: tuple[str, ...]
    cls: str = "strong"

    @property
    def wide(self) -> float:
        return max(len(line) for line in self.lines) * (CHARACTER + 0.6)

    @property
    def high(self) -> float:
        return LINE * len(self.lines)


class Spot(NamedTuple):
    """A possible place of a label: its anchor, and its first base line's distance from the mark."""

    anchor: str
    dx: float
    dy: float


def anchor_at(canvas: Canvas, part: float, text: str) -> str:
    """Return "middle" unless a centered label would reach outside."""
    half = len(text) * CHARACTER / 2
    if canvas.left + part * canvas.plot < half:
        return "start"
    return "end" if (1 - part) * canvas.plot < half else "middle"


class Labels:
    """The labels of one picture, placed one after the other."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.widths = (canvas.plot,) if canvas.width else (canvas.plot, WIDE)
        self.taken: list[list[Box]] = [[] for _ in self.widths]
        self.dots: list[list[Box]] = [[] for _ in self.widths]
        self.uprights: list[tuple[float, float]] = []  # the part across, and the lower end

    def avoid_line(self, points: Sequence[Place]) -> None:
        """Keep labels off a line if there is room elsewhere."""
        apart = len(points) / SAMPLES
        for n in range(SAMPLES if len(points) > 1 else 1):
            start, part = int(n * apart), n * apart % 1
            (x, y), (to_x, to_y) = (points[start], points[min(start + 1, len(points) - 1)])
            self._avoid(self.dots, x + (to_x - x) * part, y + (to_y - y) * part, 2)

    def avoid_upright(self, part: float, bottom: float) -> None:
        """Keep labels off a vertical line, even if they then cross others."""
        self.uprights.append((part, bottom))

    def avoid_mark(self, at: Place) -> None:
        self._avoid(self.taken, *at, 5)

    def _avoid(self, where: list[list[Box]], x: float, y: float, by: float) -> None:
        for width, boxes in zip(self.widths, where, strict=True):
            boxes.append(Box(x * width - by, y - by, x * width + by, y + by))

    def reserve(self, at: Place, text: str, anchor: str) -> None:
        """Keep the place of a label that has no choice."""
        label, spot = Label(at, (text,)), Spot(anchor, 0, 0)
        for width, boxes in zip(self.widths, self.taken, strict=True):
            boxes.append(self._box(label, spot, width))

    def place(self, label: Label, spots: Sequence[Spot] = (), leader: str = "") -> None:
        """Write a label at the best spot near its mark; `leader` is the class of a line to it."""
        choices = [(label, each) for each in spots or _spots(label)]
        label, spot = self._best(choices + ([] if spots else self._across(label)))
        for width, boxes in zip(self.widths, self.taken, strict=True):
            boxes.append(self._box(label, spot, width))
        end = spot.dy + label.high - HEIGHT if spot.dy < 0 else spot.dy - HEIGHT
        if leader and abs(end) > AWAY + LINE / 2:
            self.canvas.shape(leader, label.at, f"M0 0L{number(spot.dx)} {number(end)}")
        for n, line in enumerate(label.lines):
            cls = "label" if n else f"label {label.cls}"
            self.canvas.text(cls, label.at, line, spot.anchor, dx=spot.dx, dy=spot.dy + n * LINE)

    def place_along(self, y: float, text: str, cls: str) -> None:
        """Write a label above or below a horizontal line, at its left end or its right."""
        left, right = Label((0, y), (text,), cls), Label((1, y), (text,), cls)
        ends = [
            (left, Spot("start", 5, -6)),
            (right, Spot("end", -5, -6)),
            (left, Spot("start", 5, 15)),
            (right, Spot("end", -5, 15)),
        ]
        label, spot = self._best(ends)
        self.place(label, [spot])

    def _across(self, label: Label) -> list[tuple[Label, Spot]]:
        """Return the places beside vertical lines that are too near the mark."""
        near = [part for part, _ in self.uprights if abs(part - label.at[0]) < NEAR]
        rows = sorted({spot.dy for spot in _spots(label)}, key=abs)
        sides = [Spot("end", -AWAY, 0), Spot("start", AWAY, 0)]
        return [
            (label._replace(at=(part, label.at[1])), side._replace(dy=dy))
            for dy in rows
            for part in near
            for side in sides
        ]

    def _best(self, choices: Sequence[tuple[Label, Spot]]) -> tuple[Label, Spot]:
        """Return the first choice without cost, or else the cheapest."""
        costs: list[float] = []
        for choice in choices:
            costs.append(self._cost(*choice))
            if not costs[-1]:
                return choice
        return choices[costs.index(min(costs))]

    def _box(self, label: Label, spot: Spot, width: float) -> Box:
        x, y = label.at[0] * width + spot.dx, label.at[1] + spot.dy
        left = {"start": x, "end": x - label.wide, "middle": x - label.wide / 2}
        start = left[spot.anchor]
        return Box(start, y - HEIGHT, start + label.wide, y - HEIGHT + label.high)

    def _cost(self, label: Label, spot: Spot) -> float:
        cost = 0.0
        for width, taken, dots in zip(self.widths, self.taken, self.dots, strict=True):
            box = self._box(label, spot, width)
            cost += COVERING * _met(box, taken) + CROSSING * _met(box, dots)
            uprights = ((part * width, bottom) for part, bottom in self.uprights)
            cost += STRIKING * _met(box, [Box(x - 2, 0, x + 2, bottom) for x, bottom in uprights])
            cost += OUTSIDE * _beyond(box, Box(0, 0, width, self.canvas.height))
        return cost


def _met(box: Box, others: Sequence[Box]) -> int:
    return sum(box.meets(other) for other in others)


def _beyond(box: Box, inside: Box) -> float:
    """Return the pixels by which a box is outside."""
    return (
        max(inside.left - box.left, 0)
        + max(box.right - inside.right, 0)
        + max(inside.top - box.top, 0)
        + max(box.bottom - inside.bottom, 0)
    )


def _spots(label: Label) -> list[Spot]:
    """Return the places around a mark, the best first: at its sides, above, below, farther off."""
    rest = label.high - LINE
    spots = []
    for off in (0, LINE, 2 * LINE, 3 * LINE, 5 * LINE, 7 * LINE):
        above, below = -AWAY - rest - off, AWAY + HEIGHT + off
        spots += [
            Spot("end", -AWAY, above + 2),
            Spot("start", AWAY, below - 2),
            Spot("start", AWAY, above + 2),
            Spot("end", -AWAY, below - 2),
            Spot("start", 2, above),
            Spot("end", -2, above),
            Spot("middle", 0, above),
            Spot("middle", 0, below),
            Spot("start", 2, below),
            Spot("end", -2, below),
        ]
    return spots
