"""What keeps a text from being read, computed by the database when the text is written."""

from django.db import models
from django.db.models import F, Func

from collection.core.readability import BLANK, BROKEN, EMPTY, UNREADABLE


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
