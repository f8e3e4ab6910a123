"""Whether PostgreSQL could not be asked, as opposed to having refused what it was asked."""

from django.db import DatabaseError, InterfaceError, OperationalError

# Classes of SQLSTATE: connection lost, resources exhausted (connections, disk), shutting down or starting.
AWAY_STATES = ("08", "53", "57P")


def is_away(error: BaseException) -> bool:
    """Return whether this error says so; another attempt may then succeed."""
    is_broken = type(error) is DatabaseError  # an answer that broke off
    if not is_broken and not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.__cause__, "pgcode", None)
    return state is None or state.startswith(AWAY_STATES)
