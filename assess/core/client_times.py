"""When something was done that reached the server later.

The clock of the client is not trusted, only how long ago it says that something was.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

# The longest time ago that is believed: seventy years.
FARTHEST_MS = 2**41


class Acted(NamedTuple):
    """When the document was first on the screen (None if unknown), and when the key was pressed."""

    first_viewed_at: datetime | None
    pressed_at: datetime


def acted(recorded_at: datetime, given_at: datetime, ago_ms: int, viewed_ms: int | None) -> Acted:
    """Return when an act was done: after its assignment was given, and before it was recorded.

    >>> nine, ten = datetime(2026, 11, 22, 9), datetime(2026, 11, 22, 10)
    >>> viewed_at, pressed_at = acted(ten, nine, 60_000, 5_000)
    >>> f"{viewed_at:%X} {pressed_at:%X}"
    '09:58:55 09:59:00'
    >>> acted(ten, nine, 10**20, None)
    Acted(first_viewed_at=None, pressed_at=datetime.datetime(2026, 11, 22, 9, 0))
    """
    pressed_at = _before(recorded_at, given_at, ago_ms)
    if viewed_ms is None:
        return Acted(None, pressed_at)
    return Acted(_before(pressed_at, given_at, viewed_ms), pressed_at)


def _before(at: datetime, earliest: datetime, ms: int) -> datetime:
    """Return the moment this long before another one, but not before the earliest."""
    wanted = at - timedelta(milliseconds=min(max(ms, 0), FARTHEST_MS))
    return min(max(wanted, earliest), at)
