"""How a score is printed."""

from django import template

register = template.Library()


@register.filter
def score(value: float) -> str:
    """Four decimals, rounded as C's printf rounds, so that the page and trec_eval show the same digits.

    >>> score(0.12345), score(1.0)
    ('0.1235', '1.0000')
    """
    return f"{value:.4f}"
