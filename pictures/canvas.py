"""A surface to draw on, either fluid or of a fixed width.

Across, a place is a part of the plot's width, 0 to 1; a fluid canvas writes it in percent, one of a fixed width in pixels.
Down, it is in pixels, so that type and marks keep their size at every width. Lines and areas of a fluid canvas stand in an
`svg` of their own that stretches, and their strokes do not; one of a fixed width draws them in pixels, for programs that
do not know `vector-effect`.
"""

from collections.abc import Iterable, Sequence

from pictures.markup import Drawn, attributes, element, number, safe

# The width that a fluid picture must be legible at: on a phone, inside a card.
NARROW = 280
# A stretched svg is so many units wide.
STRETCHED = 1000
# A character of a label, in pixels, and rather too many than too few.
CHARACTER = 6.9
# Room for labels at the left comes in these numbers of characters, each a class of the stylesheet.
MARGINS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20)
BETWEEN = 10

Place = tuple[float, float]


def margin_for(labels: Sequence[str]) -> int:
    """Return for how many characters there must be room so that every label fits."""
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
        """The pixels across that a label can count on."""
        return NARROW if self.width is None else self.width - self.left

    def across(self, part: float) -> str:
        """Return a length across."""
        if self.width is None:
            return f"{number(part * 100, 2)}%"
        return number(part * self.plot, 2)

    def x(self, part: float) -> str:
        """Return a place across."""
        if self.width is None:
            return self.across(part)
        return number(self.left + part * self.plot, 2)

    def y(self, place: float) -> str:
        """Return a place down."""
        return number(place)

    def down(self, length: float) -> str:
        """Return a length down."""
        return number(length)

    def add(
        self,
        tag: str,
        title: str = "",
        href: str = "",
        *,
        is_stop: bool = False,
        **values: str | float,
    ) -> None:
        """Add a mark; see `element` for its title and its address."""
        self.parts.append(element(tag, attributes(**values), title, href, is_stop=is_stop))

    def line(self, cls: str, start: Place, end: Place, title: str = "") -> None:
        self.add(
            "line",
            cls=cls,
            x1=self.x(start[0]),
            x2=self.x(end[0]),
            y1=self.y(start[1]),
            y2=self.y(end[1]),
            title=title,
        )

    def rect(self, cls: str, corner: Place, size: Place, title: str = "", href: str = "") -> None:
        """Draw a box from its corner at the upper left; what would be below nothing is nothing."""
        wide, high = self.across(max(size[0], 0)), self.down(max(size[1], 0))
        self.add(
            "rect",
            cls=cls,
            x=self.x(corner[0]),
            y=self.y(corner[1]),
            width=wide,
            height=high,
            title=title,
            href=href,
        )

    def dot(
        self,
        cls: str,
        at: Place,
        radius: float,
        title: str = "",
        href: str = "",
        *,
        is_stop: bool = False,
    ) -> None:
        self.add(
            "circle",
            is_stop=is_stop,
            cls=cls,
            cx=self.x(at[0]),
            cy=self.y(at[1]),
            r=radius,
            title=title,
            href=href,
        )

    def shape(self, cls: str, at: Place, outline: str, title: str = "", href: str = "") -> None:
        """Draw an outline in pixels around a place."""
        self.parts.append(f'<svg x="{self.x(at[0])}" y="{self.y(at[1])}" class="free">')
        self.add("path", cls=cls, d=outline, title=title, href=href)
        self.parts.append("</svg>")

    def curve(self, cls: str, points: Sequence[Place], title: str = "") -> None:
        """Draw a line through places, or the area that they surround."""
        steps = [f"{number(self._along(x), 2)} {number(y, 2)}" for x, y in points]
        self._stretched(cls, f"M{'L'.join(steps)}", title)

    def _along(self, part: float) -> float:
        """Return a place across in the units of a path."""
        return part * STRETCHED if self.width is None else self.left + part * self.plot

    def _stretched(self, cls: str, d: str, title: str = "") -> None:
        """Draw a path; on a fluid canvas it is as wide as the plot."""
        if self.width is not None:
            self.add("path", cls=cls, d=d, title=title)
            return
        size = attributes(
            width="100%",
            height=self.height,
            viewBox=f"0 0 {STRETCHED} {number(self.height)}",
            preserveAspectRatio="none",
        )
        self.parts.append(f'<svg class="free"{size}>')
        self.add("path", cls=cls, d=d, title=title)
        self.parts.append("</svg>")

    def blocks(self, cls: str, boxes: Iterable[tuple[Place, Place]]) -> None:
        """Draw many boxes as one mark, each by its corner at the upper left and its size."""
        steps = [
            f"M{number(self._along(x), 2)} {number(y)}h{number(self._along(x + wide) - self._along(x), 2)}v{number(high)}H{number(self._along(x), 2)}z"
            for (x, y), (wide, high) in boxes
        ]
        if steps:
            self._stretched(cls, "".join(steps))

    def text(
        self, cls: str, at: Place, text: str, anchor: str = "start", dx: float = 0, dy: float = 0
    ) -> None:
        """Write text with its base line at a place, moved by pixels; the anchor is start, middle or end."""
        cls = f"{cls} {anchor}".strip()
        where = attributes(cls=cls, x=self.x(at[0]), y=self.y(at[1]), dx=dx or "", dy=dy or "")
        self.parts.append(f"<text{where}>{safe(text)}</text>")

    def upright(self, at: Place, text: str) -> None:
        """Write text from the bottom to the top, beginning at a place."""
        where = attributes(x=self.x(at[0]), y=self.y(at[1]))
        self.parts.append(
            f'<svg{where} class="free"><text class="tick" transform="rotate(-90)" dy="4">{safe(text)}</text></svg>'
        )

    def svg(self, form: str, sentence: str) -> Drawn:
        """Return the picture; without a sentence it is one that readers of the screen pass over."""
        body = "".join(self.parts)
        # What is inside an img nobody is told of, so one may not reach it either.
        role = "group" if "<a href=" in body else "img"
        cls = f"picture {form}" + (f" left-{self.margin}" if self.margin else "")
        name = {"role": role, "aria_label": safe(sentence)} if sentence else {"aria_hidden": "true"}
        size = {"width": "100%"} if self.width is None else {"width": str(self.width)}
        head = attributes(cls=cls, **size, height=self.height or "", **name)
        return Drawn(f'<svg xmlns="http://www.w3.org/2000/svg"{head}>{body}</svg>')


class Square(Canvas):
    """A canvas whose plot is as high as it is wide. Down, too, a place is a part of it; there is room above and below."""

    ABOVE, BELOW = 18, 30

    def __init__(self, *, width: int | None = None, margin: int = 0) -> None:
        super().__init__(0, width=width, margin=margin)
        if width is not None:
            self.height = self.plot + self.ABOVE + self.BELOW

    def y(self, place: float) -> str:
        return (
            f"{number(place * 100, 2)}%"
            if self.width is None
            else number(self.ABOVE + place * self.plot, 2)
        )

    def down(self, length: float) -> str:
        return self.across(length)

    def svg(self, form: str, sentence: str) -> Drawn:
        return super().svg(f"square {form}", sentence)
