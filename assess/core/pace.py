"""How fast somebody judges, and when they will be done at that pace. Too few judgments say nothing."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

# So many judgments must be known for a median, or for a forecast.
ENOUGH = 20
# The pace is that of the last week; pages show two.
WEEK, SHOWN = 7, 14
# One day alone is no pace, and beyond a year nothing is said.
ENOUGH_DAYS, FARTHEST = 2, 365
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Pace:
    """What is known of somebody's judging: `days` has how many documents they decided on each of the last days, today last.

    `seconds` is the median time that a document was in view before it was decided, of the `n_timed` whose time is known.
    """

    days: tuple[int, ...] = (0,) * SHOWN
    n_timed: int = 0
    seconds: float | None = None
    first_on: date | None = None
    last_at: datetime | None = None

    @property
    def is_timed(self) -> bool:
        return self.seconds is not None and self.n_timed >= ENOUGH

    def minutes_for(self, n_documents: int) -> int | None:
        """Return how many minutes so many documents take, at least one; None where too few were timed, or nothing is left.

        >>> Pace(n_timed=20, seconds=31).minutes_for(29)
        15
        """
        if self.seconds is None or not self.is_timed or not n_documents:
            return None
        return max(1, round(n_documents * self.seconds / 60))

    @property
    def an_hour(self) -> int | None:
        """How many documents an hour of judging takes on, by the median; None where too few were timed."""
        if not self.seconds or not self.is_timed:
            return None
        return round(3600 / self.seconds)

    def a_day(self, today: date) -> float | None:
        """Return how many were decided on a day of the last week, or since the first day; None for too few of them, or of days."""
        week = last_week(self.days, self.first_on, today)
        return sum(week) / len(week) if week else None

    def done_on(self, n_left: int, today: date) -> date | None:
        """Return on which day the rest will be done at the pace of the last week; None where nothing is left, or nothing can be said."""
        pace = self.a_day(today)
        n_days = math.ceil(n_left / pace) if n_left and pace else 0
        return today + n_days * DAY if 0 < n_days <= FARTHEST else None


def together(paces: Iterable[Pace]) -> Pace:
    """Return the pace of several people as one; of their times nothing follows for all."""
    known = list(paces)
    days = zip(*(each.days for each in known), strict=True)
    first = [each.first_on for each in known if each.first_on]
    last = [each.last_at for each in known if each.last_at]
    return Pace(
        tuple(map(sum, days)) or Pace().days,
        first_on=min(first, default=None),
        last_at=max(last, default=None),
    )


def last_week(days: Sequence[int], first_on: date | None, today: date) -> Sequence[int]:
    """Return the counts of the last seven of `days`, today last, or of those since the first; none where they say nothing.

    >>> last_week([0, 30, 10], date(2026, 5, 2), date(2026, 5, 3)), last_week([40], date(2026, 5, 3), date(2026, 5, 3))
    ([30, 10], [])
    """
    n_days = min(WEEK, (today - first_on).days + 1) if first_on else 0
    week = days[-n_days:] if n_days >= ENOUGH_DAYS else days[:0]
    return week if sum(week) >= ENOUGH else days[:0]


def last_days(counts: Mapping[date, int], today: date) -> tuple[int, ...]:
    """Return the counts of the last days, today last.

    >>> last_days({date(2026, 5, 2): 3}, date(2026, 5, 3))[-3:]
    (0, 3, 0)
    """
    return tuple(counts.get(today - n * DAY, 0) for n in reversed(range(SHOWN)))


def in_words(minutes: int) -> str:
    """Write a time.

    >>> in_words(1), in_words(59), in_words(128), in_words(120)
    ('1 min', '59 min', '2 h 8 min', '2 h')
    """
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"{rest} min"
    return f"{hours:,} h {rest} min" if rest else f"{hours:,} h"


def counts_of(marks: Sequence[str]) -> dict[str, int]:
    """Return how many documents have each mark.

    >>> counts_of(["0", "later", "0"])
    {'0': 2, 'later': 1}
    """
    return {mark: marks.count(mark) for mark in dict.fromkeys(marks)}
