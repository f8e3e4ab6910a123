"""A surface to draw on, either fluid or of a fixed width.

Across, a place is a part of the plot's width, 0 to 1; a fluid canvas writes it in percent, one of a
fixed width in pixels. Down, it is in pixels, so that type and marks keep their size at every width.
Lines and areas of a fluid canvas are in an `svg` of their own that stretches without its strokes;
one of a fixed width draws them in pixels, for programs that do not know `vector-effect`.
"""

from collections.abc import Iterable, Sequence

from cleverdon.pictures.markup import Drawn, attributes, element, number, safe

# The narrowest width of a fluid picture: on a phone, inside a card.
NARROW = 280
# The width of a stretched svg in its units.
STRETCHED = 1000
# The width of a character in pixels, rounded up.
CHARACTER = 6.9
# Widths of the labels at the left in characters, each a class of the stylesheet.
MARGINS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20)
BETWEEN = 10

Place = tuple[float, float]


def margin_for(labels: Sequence[str]) -> int:
    """Return the number of characters for which every label needs room."""
    longest = max((len(label) for label in labels), default=0)
    return next((n for n in MARGINS if n >= longest), MARGINS[-1])


def cut(label: str, longest: int = MARGINS[-1]) -> str:
    return label if len(label) <= longest else f"{label[: longest - 1]}…"


class Canvas:
    """An SVG that grows mark by mark; later marks lie on earlier ones."""

    def __init__(self, height: float, *, width: int | None = None, margin: int = 0) -> None:
        self.height, self.width, self.margin = height, width, margin
        self.left = margin * CHARACTER + BETWEEN if margin else 0.0
        self.parts: list[str] = []

    @property
    def plot(self) -> float:
        """The least width of the plot in pixels."""
        return NARROW if self.width is None else self.width - self.left

    def across(self, part: float) -> str:
        """Return a horizontal length."""
        if self.width is None:
            return f"{number(part * 100, 2)}%"
        return number(part * self.plot, 2)

    def x(self, part: float) -> str:
        """Return a horizontal place."""
        if self.width is None:
            return self.across(part)
        return number(self.left + part * self.plot, 2)

    def y(self, place: float) -> str:
        """Return a vertical place."""
        return number(place)

    def down(self, length: float) -> str:
        """Return a vertical length."""
        return number(length)

    def add(self, tag: str, title: str = "", href: str = "", **values: str | float) -> None:
        """Add a mark; see `element` for its title and address."""
        self.parts.append(element(tag, attributes(**values), title, href))

    def line(self, cls: str, start: Place, end: Place) -> None:
        x1, x2, y1, y2 = self.x(start[0]), self.x(end[0]), self.y(start[1]), self.y(end[1])
        self.add("line", cls=cls, x1=x1, x2=x2, y1=y1, y2=y2)

    def rect(self, cls: str, corner: Place, size: Place, title: str = "", href: str = "") -> None:
        """Draw a box from its upper left corner; a negative size counts as 0."""
        x, y = self.x(corner[0]), self.y(corner[1])
        wide, high = self.across(max(size[0], 0)), self.down(max(size[1], 0))
        self.add("rect", title, href, cls=cls, x=x, y=y, width=wide, height=high)

    def dot(self, cls: str, at: Place, radius: float, title: str = "") -> None:
        self.add("circle", title, cls=cls, cx=self.x(at[0]), cy=self.y(at[1]), r=radius)

    def shape(self, cls: str, at: Place, outline: str) -> None:
        """Draw an outline in pixels around a place."""
        self.parts.append(f'<svg x="{self.x(at[0])}" y="{self.y(at[1])}" class="free">')
        self.add("path", cls=cls, d=outline)
        self.parts.append("</svg>")

    def curve(self, cls: str, points: Sequence[Place]) -> None:
        """Draw a line through places, or the area inside them."""
        steps = [f"{number(self._along(x), 2)} {number(y, 2)}" for x, y in points]
        self._stretched(cls, f"M{'L'.join(steps)}")

    def _along(self, part: float) -> float:
        """Return a place across in the units of a path."""
        return part * STRETCHED if self.width is None else self.left + part * self.plot

    def _stretched(self, cls: str, d: str) -> None:
        """Draw a path; on a fluid canvas it is as wide as the plot."""
        if self.width is not None:
            self.add("path", cls=cls, d=d)
            return
        size = attributes(
            width="100%",
            height=self.height,
            viewBox=f"0 0 {STRETCHED} {number(self.height)}",
            preserveAspectRatio="none",
        )
        self.parts.append(f'<svg class="free"{size}>')
        self.add("path", cls=cls, d=d)
        self.parts.append("</svg>")

    def blocks(self, cls: str, boxes: Iterable[tuple[Place, Place]]) -> None:
        """Draw many boxes, each of an upper left corner and a size, as one mark."""
        steps = []
        for (x, y), (wide, high) in boxes:
            left, right = self._along(x), self._along(x + wide)
            start = number(left, 2)
            steps.append(f"M{start} {number(y)}h{number(right - left, 2)}v{number(high)}H{start}z")
        if steps:
            self._stretched(cls, "".join(steps))

    def text(
        self, cls: str, at: Place, text: str, anchor: str = "start", *, dx: float = 0, dy: float = 0
    ) -> None:
        """Write text with its base line at a place, moved by pixels; anchor: start, middle, end."""
        cls = f"{cls} {anchor}".strip()
        where = attributes(cls=cls, x=self.x(at[0]), y=self.y(at[1]), dx=dx or "", dy=dy or "")
        self.parts.append(f"<text{where}>{safe(text)}</text>")

    def upright(self, at: Place, text: str) -> None:
        """Write text from bottom to top, beginning at a place."""
        where = attributes(x=self.x(at[0]), y=self.y(at[1]))
        turned = f'<text class="tick" transform="rotate(-90)" dy="4">{safe(text)}</text>'
        self.parts.append(f'<svg{where} class="free">{turned}</svg>')

    def svg(self, form: str, sentence: str) -> Drawn:
        """Return the picture; without a sentence screen readers skip it."""
        body = "".join(self.parts)
        # Screen readers do not look inside an img, so links need a group.
        role = "group" if "<a href=" in body else "img"
        cls = f"picture {form}" + (f" left-{self.margin}" if self.margin else "")
        name = {"role": role, "aria_label": safe(sentence)} if sentence else {"aria_hidden": "true"}
        size = {"width": "100%"} if self.width is None else {"width": str(self.width)}
        head = attributes(cls=cls, **size, height=self.height or "", **name)
        return Drawn(f'<svg xmlns="http://www.w3.org/2000/svg"{head}>{body}</svg>')


class Square(Canvas):
    """A canvas whose plot is as high as wide; places down are parts of it too."""

    ABOVE, BELOW = 18, 30

    def __init__(self, *, width: int | None = None, margin: int = 0) -> None:
        super().__init__(0, width=width, margin=margin)
        if width is not None:
            self.height = self.plot + self.ABOVE + self.BELOW

    def y(self, place: float) -> str:
        if self.width is None:
            return f"{number(place * 100, 2)}%"
        return number(self.ABOVE + place * self.plot, 2)

    def down(self, length: float) -> str:
        return self.across(length)

    def svg(self, form: str, sentence: str) -> Drawn:
        return super().svg(f"square {form}", sentence)
