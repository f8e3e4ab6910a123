"""The hours of assessors: active time by day, week or in all, by what it was for."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from assess.core.pace import DAY, WEEK
from assess.core.purposes import ADJUDICATION, PRACTICE, PRIMARY, SECOND, SHARED

KINDS = (PRIMARY, SECOND, SHARED, ADJUDICATION, PRACTICE)
PERIODS = ("all", "week", "day")
DAY_SECONDS = 24 * 3600


class Worked(NamedTuple):
    """What somebody did on a day in assignments of a kind.

    `n` documents were first decided, `n_untimed` of them without any active time.
    """

    assessor: int
    day: date
    kind: str
    seconds: int
    n: int
    n_untimed: int


class Hours(NamedTuple):
    """What somebody did from one day to another, both included; by kind where something was."""

    assessor: int
    first: date
    last: date
    seconds_of: dict[str, int]
    n_of: dict[str, int]
    n_untimed: int

    @property
    def seconds(self) -> int:
        return sum(self.seconds_of.values())

    @property
    def n(self) -> int:
        return sum(self.n_of.values())

    @property
    def hours(self) -> float:
        """The hours of all kinds, each rounded, so that a table adds up."""
        return round(sum(map(in_hours, self.seconds_of.values())), 2)

    @property
    def is_too_long(self) -> bool:
        """Whether more active time was sent than there is from the first day to the last."""
        return self.seconds > DAY_SECONDS * ((self.last - self.first) / DAY + 1)


def in_hours(seconds: int) -> float:
    """Return hours with two decimals.

    >>> in_hours(5400), in_hours(50)
    (1.5, 0.01)
    """
    return round(seconds / 3600, 2)


def hours_of(
    rows: Iterable[Worked], by: str = "all", since: date | None = None, until: date | None = None
) -> list[Hours]:
    """Add up the rows from one day to another by person and period, the earliest period first.

    A week begins on Monday. A period ends where the range asked for does; one of "all" that is
    open begins on the person's first day and ends on their last.

    >>> days = [date(2026, 5, 3), date(2026, 5, 4)]
    >>> rows = [Worked(7, day, "primary", 60, 1, 0) for day in days]
    >>> [(str(each.first), str(each.last), each.seconds) for each in hours_of(rows, "week")]
    [('2026-04-27', '2026-05-03', 60), ('2026-05-04', '2026-05-10', 60)]
    """
    low, high = since or date.min, until or date.max
    groups: dict[tuple[date, int], list[Worked]] = defaultdict(list)
    for row in rows:
        if low <= row.day <= high:
            groups[_begin(row.day, by), row.assessor].append(row)
    return [
        _added(its, person, *_period(begin, by, its, low, high))
        for (begin, person), its in sorted(groups.items())
    ]


def _begin(day: date, by: str) -> date:
    return {"all": date.min, "week": day - day.weekday() * DAY, "day": day}[by]


def _period(
    begin: date, by: str, rows: Iterable[Worked], low: date, high: date
) -> tuple[date, date]:
    if by == "all":
        days = [row.day for row in rows]
        first, last = min(days), max(days)
        return (first if low == date.min else low), (last if high == date.max else high)
    end = begin + (WEEK - 1) * DAY if by == "week" else begin
    return max(begin, low), min(end, high)


def _added(rows: Iterable[Worked], assessor: int, first: date, last: date) -> Hours:
    seconds, documents = Counter[str](), Counter[str]()
    n_untimed = 0
    for row in rows:
        seconds[row.kind] += row.seconds
        documents[row.kind] += row.n
        n_untimed += row.n_untimed
    return Hours(assessor, first, last, dict(seconds), dict(documents), n_untimed)
