"""Reads the marks of a picture back from its SVG."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Drawing:
    """A picture, parsed as XML."""

    root: ET.Element

    @classmethod
    def of(cls, svg: str) -> "Drawing":
        return cls(ET.fromstring(svg))  # noqa: S314 - our own

    def all(self, tag: str, *classes: str) -> list[ET.Element]:
        """Return the marks of a kind that have all these classes."""
        return [
            mark
            for mark in self.root.iter(f"{SVG}{tag}")
            if set(classes) <= set(mark.get("class", "").split())
        ]

    @property
    def texts(self) -> list[str]:
        return [mark.text for mark in self.all("text")]

    @property
    def hrefs(self) -> list[str]:
        return [mark.get("href") for mark in self.all("a")]

    def points(self, *classes: str) -> list[list[tuple[float, float]]]:
        """Return the places of each line or area, as written."""
        return [
            [tuple(map(float, place.split())) for place in re.split("[ML]", d)[1:]]
            for d in (mark.get("d") for mark in self.all("path", *classes))
        ]

    def boxes(self, *classes: str) -> list[tuple[float, float, float, float]]:
        """Return x, y, width and height of each box that is part of one path."""
        box = re.compile(r"M(\S+) (\S+)h(\S+)v(\S+)[hH]\S+?z")
        return [
            tuple(map(float, found))
            for mark in self.all("path", *classes)
            for found in box.findall(mark.get("d"))
        ]


def drawn(picture) -> Drawing:
    """Parse a picture or a cell."""
    return Drawing.of(getattr(picture, "svg", picture))


def check_whole(*pictures) -> None:
    """No value has broken a mark of these pictures and cells."""
    for each in pictures:
        drawn(each)
        assert not re.search("nan|inf", getattr(each, "svg", each))


def percent(text: str) -> float:
    assert text.endswith("%"), text
    return float(text[:-1])
