"""What every form returns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Literal, ParamSpec

from pictures.markup import Drawn

# Whose a mark is: "mine" is this one, yours, done so far; "others" are all else; "second" is the other one, below, the deadline.
Whose = Literal["mine", "others", "second"]
Inputs = ParamSpec("Inputs")


@dataclass(frozen=True)
class Picture:
    """An SVG, its meaning in one sentence, and the table of the same numbers.

    A row of the table may lead somewhere: `links` has an address, or nothing, for each. `files` has the name and the address of
    each file that the picture is, too; `at_width` draws it again, so many pixels wide.
    """

    svg: Drawn
    sentence: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    links: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    at_width: Callable[[int], "Picture"] | None = field(default=None, compare=False, repr=False)

    @property
    def linked_rows(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return each row with its address, which may be empty."""
        links = self.links or ("",) * len(self.rows)
        return list(zip(links, self.rows, strict=True))


def redrawn(form: Callable[Inputs, Picture]) -> Callable[Inputs, Picture]:
    """Let every picture of a form be drawn again at a width, as a file needs it."""

    @wraps(form)
    def drawn(*values: Inputs.args, **options: Inputs.kwargs) -> Picture:
        def at_width(width: int) -> Picture:
            return form(*values, **{**options, "width": width})  # type: ignore[arg-type]

        return replace(form(*values, **options), at_width=at_width)

    return drawn


def each(values: Sequence[str], n: int) -> Sequence[str]:
    """Return n texts: those given, or empty ones if none are. ValueError for another number."""
    if len(values) not in {0, n}:
        raise ValueError(f"{len(values)} texts for {n} marks.")
    return values or ("",) * n
