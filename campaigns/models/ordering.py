"""The order in which people expect names."""

from django.db.models import CharField, F, Func, Value
from django.db.models.functions import Lower

DIGITS = 9


def natural(name: str) -> Func:
    """Return what orders a column of names by the numbers in them: "run 2" before "run 10", whatever the capitals."""
    with_zeros = _replaced(Lower(F(name)), r"(\d+)", "0" * DIGITS + r"\1")
    return _replaced(with_zeros, rf"0*(\d{{{DIGITS}}})", r"\1")


def _replaced(text: Func, pattern: str, by: str) -> Func:
    values = (Value(pattern), Value(by), Value("g"))
    return Func(text, *values, function="regexp_replace", output_field=CharField())
