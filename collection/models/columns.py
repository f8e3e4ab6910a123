"""Columns that the database computes from a text: its hash, and what keeps it from being read."""

from django.db import models
from django.db.models import F, Func

from collection.core.readability import BLANK, BROKEN, EMPTY, UNREADABLE


class _Ended(Func):
    """A text in UTF-8 and a zero byte, which no text contains: other texts give other bytes."""

    # Not `convert_to`, which PostgreSQL does not consider immutable.
    template = r"decode(replace(%(expressions)s, '\', '\\'), 'escape') || '\x00'::bytea"


def sha256_of(*names: str) -> models.GeneratedField:
    """Return a column with the SHA-256 of these columns, in hexadecimal."""
    ended = Func(*(_Ended(F(name)) for name in names), arg_joiner=" || ", function="sha256")
    return models.GeneratedField(
        expression=Func(ended, function="encode", template="%(function)s(%(expressions)s, 'hex')"),
        output_field=models.CharField(max_length=64),
        db_persist=True,
    )


class TextFault(Func):
    """`core.readability.fault_of` of several texts, joined."""

    arg_joiner = " || "
    template = (
        f"CASE WHEN (%(expressions)s) !~ '[^{BLANK}]' THEN '{EMPTY}'"
        f" WHEN (%(expressions)s) ~ '[{BROKEN}]'"
        f" AND 2 * length(regexp_replace(%(expressions)s, '[^{BROKEN}]+', '', 'g'))"
        f" > length(regexp_replace(%(expressions)s, '[{BLANK}]+', '', 'g'))"
        f" THEN '{UNREADABLE}' ELSE '' END"
    )


def fault_of(*names: str) -> models.GeneratedField:
    """Return a column: "empty" or "unreadable" if these columns cannot be read, else ""."""
    return models.GeneratedField(
        expression=TextFault(*map(F, names)),
        output_field=models.CharField(max_length=10),
        db_persist=True,
    )
