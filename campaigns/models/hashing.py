"""The hash of a text, computed by the database, so that it always is that of the text stored."""

from django.db import models
from django.db.models import F, Func


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
