"""Filters that print figures of agreement."""

from django import template

register = template.Library()


@register.filter
def figure(value: float | None) -> str:
    """Print three decimals, rounded as C's printf does.

    >>> figure(0.0625), figure(-0.0001), figure(None)
    ('0.062', '0.000', 'undefined')
    """
    if value is None:
        return "undefined"
    shown = f"{value:.3f}"
    return shown if float(shown) else shown.removeprefix("-")
