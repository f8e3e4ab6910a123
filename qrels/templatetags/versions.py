"""Tags and filters that draw and print figures of qrels."""

from django import template

from qrels.web import drawing

register = template.Library()
register.simple_tag(drawing.version_bars)
register.simple_tag(drawing.grade_bar)

MINUS, NOTHING = "\N{MINUS SIGN}", "\N{EN DASH}"


@register.filter
def difference(n: int | None) -> str:
    """Write a difference of counts.

    >>> [difference(n) for n in (1200, -3, 0, None)] == ["+1,200", MINUS + "3", "0", NOTHING]
    True
    """
    if n is None:
        return NOTHING
    return f"{'+' if n > 0 else MINUS if n else ''}{abs(n):,}"
