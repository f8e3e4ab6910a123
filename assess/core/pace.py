"""How fast an assessor judges, and when they will be done at that pace."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import median, stdev
from typing import NamedTuple

# The fewest judgments for a median or a forecast.
ENOUGH = 20
# The pace is that of the last week; pages show two.
WEEK, SHOWN = 7, 14
# A pace needs two days, and no forecast goes beyond a year.
ENOUGH_DAYS, FARTHEST = 2, 365
DAY = timedelta(days=1)


class Likely(NamedTuple):
    """The day on which the last document will be judged, and the likely range of days."""

    done: date
    early: date
    late: date


class Dwell(NamedTuple):
    """How long documents take: the median active time of `n` decided ones, in seconds.

    Unnoticed pauses and very long documents skew the times, so that a mean says nothing.
    """

    n: int = 0
    seconds: float = 0.0

    @property
    def is_known(self) -> bool:
        return self.n >= ENOUGH

    @property
    def median(self) -> float | None:
        return self.seconds if self.is_known else None

    def minutes_for(self, n_documents: int) -> int | None:
        """Return how many minutes these documents take, at least one; None if unknown.

        >>> Dwell(20, 31).minutes_for(29)
        15
        """
        if not self.is_known or not n_documents:
            return None
        return max(1, round(n_documents * self.seconds / 60))

    @property
    def an_hour(self) -> int | None:
        """How many documents fit into an active hour, by the median; None if unknown."""
        return round(3600 / self.seconds) if self.is_known and self.seconds else None


@dataclass(frozen=True)
class Pace:
    """The pace of an assessor: `days` counts the documents decided on each day, today last."""

    days: tuple[int, ...] = (0,) * SHOWN
    dwell: Dwell = Dwell()  # noqa: RUF009 - a tuple, which nobody can change
    first_on: date | None = None
    last_at: datetime | None = None

    def likely(self, n_left: int, today: date) -> Likely | None:
        """Return when the rest will be done, at the mean pace of the last seven days.

        Days before the first judgment do not count. The range is one standard error of the mean
        on either side. None where nothing is left, fewer than 20 judgments were given in those
        days, only one day counts, or the end is more than a year away.

        >>> pace = Pace(days=(0,) * 7 + (100,) * 7, first_on=date(2026, 3, 1))
        >>> pace.likely(250, date(2026, 3, 7)).done
        datetime.date(2026, 3, 10)
        """
        week = last_week(self.days, self.first_on, today)
        if not n_left or not week:
            return None
        mean = sum(week) / len(week)
        error = stdev(week) / math.sqrt(len(week))
        # Slower than half the mean is unlikely, and a pace of zero has no end.
        paces = (mean, mean + error, max(mean - error, mean / 2))
        done, early, late = (math.ceil(n_left / pace) for pace in paces)
        if done > FARTHEST:
            return None
        return Likely(today + done * DAY, today + early * DAY, today + late * DAY)

    def done_on(self, n_left: int, today: date) -> date | None:
        """Return the day on which the rest will be done; None where `likely` is None."""
        found = self.likely(n_left, today)
        return found.done if found else None


def without_last(counts: Mapping[date, int], n: int) -> dict[date, int]:
    """Take n off the counts of the last days.

    >>> without_last({date(2026, 5, 1): 3, date(2026, 5, 2): 2}, 4)
    {datetime.date(2026, 5, 1): 1}
    """
    left = dict(sorted(counts.items()))
    for day in reversed(left.copy()):
        taken = min(max(n, 0), left[day])
        left[day], n = left[day] - taken, n - taken
    return {day: count for day, count in left.items() if count}


def last_week(days: Sequence[int], first_on: date | None, today: date) -> Sequence[int]:
    """Return the last seven of `days`, or those since the first; none if they are too few.

    >>> today = date(2026, 5, 3)
    >>> last_week([0, 30, 10], date(2026, 5, 2), today), last_week([40], today, today)
    ([30, 10], [])
    """
    n_days = min(WEEK, (today - first_on).days + 1) if first_on else 0
    week = days[-n_days:] if n_days >= ENOUGH_DAYS else days[:0]
    return week if sum(week) >= ENOUGH else days[:0]


def usual_pace(paces: Iterable[Pace], now: datetime) -> float | None:
    """Return the median of the mean documents a day of those who have a pace; None for nobody."""
    weeks = [last_week(each.days, each.first_on, now.date()) for each in paces]
    means = [sum(week) / len(week) for week in weeks if week]
    return median(means) if means else None


def last_days(counts: Mapping[date, int], today: date) -> tuple[int, ...]:
    """Return the counts of the last days, today last.

    >>> last_days({date(2026, 5, 2): 3}, date(2026, 5, 3))[-3:]
    (0, 3, 0)
    """
    return tuple(counts.get(today - n * DAY, 0) for n in reversed(range(SHOWN)))


def in_words(minutes: int) -> str:
    """Write a number of minutes.

    >>> in_words(1), in_words(59), in_words(128), in_words(120)
    ('1 min', '59 min', '2 h 8 min', '2 h')
    """
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"{rest} min"
    return f"{hours:,} h {rest} min" if rest else f"{hours:,} h"


def taken(seconds: float) -> str:
    """Write how long something took.

    >>> taken(0.4), taken(31.2), taken(125), taken(240), taken(4000)
    ('0.4 s', '31 s', '2 min 5 s', '4 min', '67 min')
    """
    if seconds < 1:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    if minutes >= 10:
        return f"{round(seconds / 60):,} min"
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"
