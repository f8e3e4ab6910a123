"""A report as sections with numbered tables and figures, before it is set in any format."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from cleverdon.pictures.files import svg_file
from cleverdon.pictures.picture import Picture


@dataclass(frozen=True)
class Table:
    """A table with its caption; the first `n_texts` columns are texts, the others numbers."""

    name: str
    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_texts: int = 1


@dataclass(frozen=True)
class Figure:
    name: str
    caption: str
    picture: Picture

    @property
    def svg(self) -> bytes:
        """The picture without its caption, which the report sets."""
        return svg_file(replace(self.picture, caption=""))


@dataclass(frozen=True)
class Section:
    """A part of a report: paragraphs, then its tables and figures."""

    title: str
    paragraphs: list[str]  # a lone string would be a sequence of letters
    parts: Sequence[Table | Figure] = ()


@dataclass(frozen=True)
class Report:
    """A whole report, dated `day`; equal reports make equal files, byte for byte."""

    title: str
    lead: str
    day: date
    sections: Sequence[Section]

    @property
    def tables(self) -> list[Table]:
        return [part for each in self.sections for part in each.parts if isinstance(part, Table)]

    @property
    def figures(self) -> list[Figure]:
        return [part for each in self.sections for part in each.parts if isinstance(part, Figure)]

    def label(self, part: Table | Figure) -> str:
        """Return how a part is numbered: "Table 3", "Figure 1"."""
        kind = "Table" if isinstance(part, Table) else "Figure"
        among: Sequence[Table | Figure] = self.tables if kind == "Table" else self.figures
        return f"{kind} {among.index(part) + 1}"
