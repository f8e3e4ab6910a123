"""Tags and filters that draw and print figures of qrels."""

from django import template

from cleverdon.pictures.bars import part_bar, small_bars
from cleverdon.pictures.markup import Drawn
from qrels.models import Qrels

register = template.Library()
ROW_HEIGHT, BAR_HEIGHT = 26, 12
MINUS, NOTHING = "\N{MINUS SIGN}", "\N{EN DASH}"


@register.simple_tag
def version_bars(qrels: Qrels, drawn: tuple[list[int], int]) -> Drawn:
    """Draw the judgments of a version by grade; all versions share grades and heights."""
    grades, most = drawn
    counts = dict(qrels.grade_counts)
    own = [counts.get(grade, 0) for grade in grades]
    texts = [f"grade {grade}: {n:,}" for grade, n in zip(grades, own, strict=True)]
    sentence = f"v{qrels.number}: {'; '.join(texts)}."
    return small_bars(own, sentence=sentence, most=most, titles=texts, height=ROW_HEIGHT)


@register.simple_tag
def grade_bar(n: int, most: int) -> Drawn:
    return part_bar(n, most=most, sentence="", height=BAR_HEIGHT)


@register.filter
def difference(n: int | None) -> str:
    """Write a difference of counts.

    >>> [difference(n) for n in (1200, -3, 0, None)] == ["+1,200", MINUS + "3", "0", NOTHING]
    True
    """
    if n is None:
        return NOTHING
    return f"{'+' if n > 0 else MINUS if n else ''}{abs(n):,}"
