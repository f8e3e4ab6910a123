"""What every form returns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pictures.markup import Drawn

# Whose a mark is: "mine" is this one, yours, done so far; "others" are all else; "second" is the other one, below, the deadline.
Whose = Literal["mine", "others", "second"]


@dataclass(frozen=True)
class Picture:
    """An SVG, its meaning in one sentence, and the table of the same numbers.

    A row of the table may lead somewhere: `links` has an address, or nothing, for each.
    """

    svg: Drawn
    sentence: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    links: tuple[str, ...] = field(default=())

    @property
    def linked_rows(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return each row with its address, which may be empty."""
        links = self.links or ("",) * len(self.rows)
        return list(zip(links, self.rows, strict=True))


def each(values: Sequence[str], n: int) -> Sequence[str]:
    """Return n texts: those given, or empty ones if none are. ValueError for another number."""
    if len(values) not in {0, n}:
        raise ValueError(f"{len(values)} texts for {n} marks.")
    return values or ("",) * n
