"""What keeps a text from being read, found out by the database when the text is written, so that no query reads it for that."""

from django.db import models
from django.db.models import F, Func

from collection.core.readability import BLANK, BROKEN, EMPTY, UNREADABLE


class _Fault(Func):
    """`core.legibility.fault_of` of several texts, one after the other."""

    arg_joiner = " || "
    template = (
        f"CASE WHEN (%(expressions)s) !~ '[^{BLANK}]' THEN '{EMPTY}'"
        f" WHEN (%(expressions)s) ~ '[{BROKEN}]' AND 2 * length(regexp_replace(%(expressions)s, '[^{BROKEN}]+', '', 'g'))"
        f" > length(regexp_replace(%(expressions)s, '[{BLANK}]+', '', 'g')) THEN '{UNREADABLE}' ELSE '' END"
    )


def fault_of(*names: str) -> models.GeneratedField:
    """Return a column that says what keeps anybody from reading these columns: "empty", "unreadable" or nothing."""
    return models.GeneratedField(
        expression=_Fault(*map(F, names)),
        output_field=models.CharField(max_length=10),
        db_persist=True,
    )
