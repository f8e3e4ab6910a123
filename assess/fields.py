"""Values of a judgment that are sent as objects."""

from typing import Any

from django.core.exceptions import ValidationError

from assess.core.passages import BadPassages, Quoted, quoted
from campaigns.core.criteria import GRADE

NO_RATINGS = "Ratings are an object of whole numbers by the names of criteria."
NO_PASSAGES = "Passages are a list."


def rated(sent: Any) -> dict[str, int]:
    """Return ratings as they were sent. Raises ValidationError if they are not integers by name."""
    given = {} if sent is None else sent
    is_object = isinstance(given, dict) and GRADE not in given
    if not is_object or not all(type(value) is int for value in given.values()):
        raise ValidationError(NO_RATINGS)
    return given


def marked(sent: Any) -> tuple[Quoted, ...]:
    given = [] if sent is None else sent
    if not isinstance(given, list):
        raise ValidationError(NO_PASSAGES)
    try:
        return quoted(given)
    except BadPassages as error:
        raise ValidationError(str(error)) from error
