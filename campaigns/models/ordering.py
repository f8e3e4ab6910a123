"""Names: the order in which people expect them, and words to find them by."""

from functools import reduce
from operator import or_

from django.db.models import CharField, F, Func, Q, Value
from django.db.models.functions import Lower

from cleverdon.trec.names import tidy

DIGITS = 9
# The fields of a person's name.
NAMES = ("username", "first_name", "last_name")


def natural(name: str) -> Func:
    """Return an expression that sorts names by the numbers in them: "run 2" before "Run 10"."""
    with_zeros = _replaced(Lower(F(name)), r"(\d+)", "0" * DIGITS + r"\1")
    return _replaced(with_zeros, rf"0*(\d{{{DIGITS}}})", r"\1")


def _replaced(text: Func, pattern: str, by: str) -> Func:
    values = (Value(pattern), Value(by), Value("g"))
    return Func(text, *values, function="regexp_replace", output_field=CharField())


def containing(word: str, *fields: str) -> Q:
    word = tidy(word) or word  # as names are kept
    return reduce(or_, (Q(**{f"{field}__icontains": word}) for field in fields))
