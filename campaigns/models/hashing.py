"""The hash of a text, computed by the database when the text is written, so that it is never that of another."""

from django.db import models
from django.db.models import F, Func


class _Ended(Func):
    """A text in UTF-8 with a zero byte after it, which no text contains, so that no two lists of texts have the same bytes."""

    # PostgreSQL takes `convert_to` for a function that may change its mind, and `decode` not.
    template = r"decode(replace(%(expressions)s, '\', '\\'), 'escape') || '\x00'::bytea"


def sha256_of(*names: str) -> models.GeneratedField:
    """Return a column with the SHA-256 of these columns, each in UTF-8 and followed by a zero byte, in hexadecimal."""
    ended = Func(*(_Ended(F(name)) for name in names), arg_joiner=" || ", function="sha256")
    return models.GeneratedField(
        expression=Func(ended, function="encode", template="%(function)s(%(expressions)s, 'hex')"),
        output_field=models.CharField(max_length=64),
        db_persist=True,
    )
