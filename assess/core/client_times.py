"""When somebody did what reached the server later: their own clock is not believed, only how long ago it says that it was."""

from datetime import datetime, timedelta
from typing import NamedTuple

# Nothing was done so long ago: seventy years.
FARTHEST_MS = 2**41


class Acted(NamedTuple):
    """When the document first was on the screen, None where that is not known, and when the key was pressed, the last act on it."""

    first_viewed_at: datetime | None
    pressed_at: datetime


def acted(recorded_at: datetime, given_at: datetime, ago_ms: int, viewed_ms: int | None) -> Acted:
    """Return when an act was done, never after it was recorded and never before its assignment was given.

    >>> nine, ten = datetime(2026, 11, 22, 9), datetime(2026, 11, 22, 10)
    >>> acted(ten, nine, 60_000, 5_000)
    Acted(first_viewed_at=datetime.datetime(2026, 11, 22, 9, 58, 55), pressed_at=datetime.datetime(2026, 11, 22, 9, 59))
    >>> acted(ten, nine, 10**20, None)
    Acted(first_viewed_at=None, pressed_at=datetime.datetime(2026, 11, 22, 9, 0))
    """
    pressed_at = _before(recorded_at, given_at, ago_ms)
    if viewed_ms is None:
        return Acted(None, pressed_at)
    return Acted(_before(pressed_at, given_at, viewed_ms), pressed_at)


def _before(at: datetime, earliest: datetime, ms: int) -> datetime:
    """Return the moment so many milliseconds before another one, and not before the earliest."""
    wanted = at - timedelta(milliseconds=min(max(ms, 0), FARTHEST_MS))
    return min(max(wanted, earliest), at)
