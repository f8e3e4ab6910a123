"""The meaning of database errors, the time limit of pages, and locks that show a live worker."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import (
    DatabaseError,
    Error,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
)
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import ProtectedError
from django.http import Http404

from accounts.access import Refused

# Classes of SQLSTATE: connection lost, connections or disk exhausted, shutting down or starting.
AWAY_STATES = ("08", "53", "57P")
CANCELED, REFERRED_TO, READ_ONLY = "57014", "23503", "25006"
AWAY = "The database does not answer. What was saved before is safe: try again in a few seconds."
TOO_LONG = (
    "The database needed too long for this, so it was given up, and nothing was changed. "
    "Try again in a minute. If it happens again, tell the people who run this site."
)
CHANGED_MEANWHILE = (
    "Somebody else has just changed or deleted what this depends on, so nothing was changed. "
    "Look at it again."
)
NOT_WHILE_LOOKING = (
    "It is noted who opens this, so it opens for the people themselves alone, "
    "not while you look at the campaign as somebody else."
)


ATTENDED = """
    SELECT 1 FROM pg_locks
    JOIN pg_database ON pg_database.oid = pg_locks.database AND datname = current_database()
    WHERE locktype = 'advisory' AND objsubid = 1 AND classid = %s AND objid = %s
"""


def attend(key: int) -> None:
    """Hold a shared lock for as long as this session lasts: its process is alive."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock_shared(%s)", [key])


def is_attended(key: int) -> bool:
    """Return whether any session holds the lock of this key."""
    with connection.cursor() as cursor:
        cursor.execute(ATTENDED, [key >> 32, key & 0xFFFFFFFF])
        return bool(cursor.fetchone())


@contextmanager
def repeating(act: Callable[[], bool], seconds: float, name: str) -> Iterator[None]:
    """Repeat an act in a thread until it returns False; wait up to `seconds` for the first time.

    While the database is away the act is tried again.
    """
    is_over, is_done_once = threading.Event(), threading.Event()
    arguments = (act, seconds, is_over, is_done_once)
    thread = threading.Thread(target=_repeat, args=arguments, name=name, daemon=True)
    thread.start()
    is_done_once.wait(seconds)
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _repeat(
    act: Callable[[], bool], seconds: float, is_over: threading.Event, is_done_once: threading.Event
) -> None:
    try:
        while not is_over.is_set():
            try:
                if not act():
                    return
                is_done_once.set()
            except Error:
                connection.close_if_unusable_or_obsolete()
            is_over.wait(seconds)
    finally:
        _leave()
        is_done_once.set()


def _leave() -> None:
    """Let go of what this session attends, and end it; the server would notice only later."""
    with suppress(Error):
        if connection.connection is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock_all()")
    connection.close()


def limit_statements(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Cancel statements that take longer than a page may; for connections of web processes."""
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = %s", [f"{settings.STATEMENT_SECONDS}s"])


def why_unavailable(error: BaseException) -> str:
    """Return the sentence for a request that failed because of the database's state, or ""."""
    if isinstance(error, OperationalError) and getattr(error.__cause__, "pgcode", None) == CANCELED:
        return TOO_LONG
    return AWAY if is_away(error) else ""


def overtaken(error: BaseException) -> Refused | Http404 | None:
    """Return the answer to a request that somebody else's change overtook, or None.

    Its row is gone, or a row that it refers to or that refers to it. Or it would write while an
    organizer looks at the campaign as somebody else.
    """
    if isinstance(error, ObjectDoesNotExist):
        return Http404()
    state = getattr(error.__cause__, "pgcode", None)
    if state == READ_ONLY:
        return Refused(NOT_WHILE_LOOKING)
    is_referred_to = isinstance(error, ProtectedError) or state == REFERRED_TO
    is_refused = isinstance(error, IntegrityError) and is_referred_to
    return Refused(CHANGED_MEANWHILE) if is_refused else None


def is_away(error: BaseException) -> bool:
    """Return whether the database cannot be reached; another attempt may succeed."""
    is_broken = type(error) is DatabaseError  # an answer that broke off
    if not is_broken and not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.__cause__, "pgcode", None)
    return state is None or state.startswith(AWAY_STATES)
