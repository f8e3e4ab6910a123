"""Tags and filters that draw and print figures of agreement."""

from django import template

from agreement.web import drawing
from cleverdon.pictures.numbers import written

register = template.Library()
register.filter(drawing.shade)
for drawn in (
    drawing.count_bar,
    drawing.total_bar,
    drawing.kappa_line,
    drawing.rows_axis,
    drawing.rows_square,
    drawing.figure_axis,
    drawing.figure_row,
    drawing.leaning_row,
    drawing.grades_bars,
    drawing.accuracy_axis,
    drawing.accuracy_row,
):
    register.simple_tag(drawn)


@register.filter
def figure(value: float | None) -> str:
    """Print two decimals, rounded as C's printf does: kappa can bear no more.

    >>> figure(0.625), figure(-0.001), figure(None)
    ('0.62', '0.00', 'undefined')
    """
    return "undefined" if value is None else written(value, 2)


@register.filter
def cell(value: float | None) -> str:
    """Print two decimals in a narrow column, where a title says why there are none.

    >>> cell(0.625), cell(None) == "\N{EN DASH}"
    ('0.62', True)
    """
    return "\N{EN DASH}" if value is None else written(value, 2)


@register.filter
def percent(value: float | None) -> str:
    """Print a share.

    >>> percent(0.875), percent(None)
    ('88 %', '')
    """
    return "" if value is None else f"{value:.0%}".replace("%", " %")


@register.filter
def signed(value: float) -> str:
    r"""Print two decimals with their sign.

    >>> signed(0.25), signed(0.001), signed(-0.5) == "\N{MINUS SIGN}0.50"
    ('+0.25', '0.00', True)
    """
    text = written(value, 2)
    return f"+{text}" if value > 0 and text != "0.00" else text
