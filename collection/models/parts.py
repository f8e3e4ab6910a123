"""Texts read a part at a time, so that no page is as long as the longest document."""

from typing import NamedTuple, TypeVar

from django.db.models import Case, Model, QuerySet, Value, When
from django.db.models.functions import Substr
from django.utils.functional import cached_property

from collection.core.reading import PART, part

M = TypeVar("M", bound=Model)


class TextPart(NamedTuple):
    """A part of a text or of its HTML, and where the next one begins; None after the last."""

    text: str
    is_html: bool
    start: int
    rest: int | None


def with_part(rows: QuerySet[M], start: int = 0, size: int = PART) -> QuerySet[M]:
    """Read only as much of each text, from a character on, as `part` is cut from."""
    within = {"pos": start + 1, "length": size + 1}
    window = Case(When(html="", then=Substr("text", **within)), default=Substr("html", **within))
    is_html = Case(When(html="", then=False), default=True)
    read = {"window": window, "is_html": is_html, "start": Value(start), "size": Value(size)}
    parts: QuerySet[M] = rows.defer("text", "html").annotate(**read)
    return parts


class InParts:
    window: str
    is_html: bool
    start: int
    size: int

    @cached_property
    def part(self) -> TextPart:
        n = part(self.window, self.size, is_html=self.is_html)
        rest = self.start + n if n < len(self.window) else None
        return TextPart(self.window[:n], self.is_html, self.start, rest)

    @property
    def says_anything(self) -> bool:
        return self.start > 0 or bool(self.part.text.strip())
