"""The picture that every form returns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Literal, ParamSpec

from cleverdon.pictures.markup import Drawn

# Emphasis of a mark: the main thing, its context, or a contrast such as a deadline.
Whose = Literal["mine", "others", "second"]
Inputs = ParamSpec("Inputs")
MOST_ROWS = 100  # of a table below a picture; its files have all


@dataclass(frozen=True)
class Picture:
    """An SVG, its meaning in one sentence, and the table of the same numbers.

    `links` has an address, or "", for each row. `caption` says in files what the numbers rest
    on. `files` has the names and addresses of the picture as files; `at_width` draws it again at a
    width in pixels.
    """

    svg: Drawn
    sentence: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    links: tuple[str, ...] = ()
    title: str = ""
    caption: str = ""
    files: tuple[tuple[str, str], ...] = ()
    at_width: Callable[[int], "Picture"] | None = field(default=None, compare=False, repr=False)

    @property
    def linked_rows(self) -> list[tuple[str, tuple[str, ...]]]:
        links = self.links or ("",) * len(self.rows)
        return list(zip(links, self.rows, strict=True))[:MOST_ROWS]

    @property
    def n_more_rows(self) -> int:
        return len(self.rows) - len(self.linked_rows)


def redrawn(form: Callable[Inputs, Picture]) -> Callable[Inputs, Picture]:
    """Let every picture of a form be drawn again at the width of a file."""

    @wraps(form)
    def drawn(*values: Inputs.args, **options: Inputs.kwargs) -> Picture:
        def at_width(width: int) -> Picture:
            return form(*values, **{**options, "width": width})  # type: ignore[arg-type]

        return replace(form(*values, **options), at_width=at_width)

    return drawn


def each(values: Sequence[str], n: int) -> Sequence[str]:
    """Return the n texts, or n empty ones for none. ValueError for another number."""
    if len(values) not in {0, n}:
        raise ValueError(f"{len(values)} texts for {n} marks.")
    return values or ("",) * n
