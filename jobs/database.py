"""What an error of the database means: that it could not be asked, or took too long, or that somebody else was first."""

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import ProtectedError
from django.http import Http404

from accounts.access import Refused

# Classes of SQLSTATE: connection lost, resources exhausted (connections, disk), shutting down or starting.
AWAY_STATES = ("08", "53", "57P")
CANCELED, REFERRED_TO = "57014", "23503"
AWAY = "The database does not answer. What was saved before is safe: try again in a few seconds."
TOO_LONG = "The database needed too long for this, so it was given up, and nothing was changed. Try again in a minute. If it happens again, tell the people who run this site."
CHANGED_MEANWHILE = (
    "Somebody else has just changed or deleted what this depends on, so nothing was changed. "
    "Look at the page again."
)


def limit_statements(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Have statements given up that take longer than any page may; for the connections of web processes."""
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = %s", [f"{settings.STATEMENT_SECONDS}s"])


def why_unavailable(error: BaseException) -> str:
    """Return what to tell the person whose request failed with this error; "" if it is none of the database's state."""
    if isinstance(error, OperationalError) and getattr(error.__cause__, "pgcode", None) == CANCELED:
        return TOO_LONG
    return AWAY if is_away(error) else ""


def overtaken(error: BaseException) -> Refused | Http404 | None:
    """Return how to answer who was overtaken: the row they asked for is gone, or one that was to refer to it or was referred to."""
    if isinstance(error, ObjectDoesNotExist):
        return Http404()
    state = getattr(error.__cause__, "pgcode", None)
    is_referred_to = isinstance(error, ProtectedError) or state == REFERRED_TO
    is_refused = isinstance(error, IntegrityError) and is_referred_to
    return Refused(CHANGED_MEANWHILE) if is_refused else None


def is_away(error: BaseException) -> bool:
    """Return whether this error says so; another attempt may then succeed."""
    is_broken = type(error) is DatabaseError  # an answer that broke off
    if not is_broken and not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.__cause__, "pgcode", None)
    return state is None or state.startswith(AWAY_STATES)
