"""A campaign's dates on a line, for a picture: places in percent of its length."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

MARGIN = 0.06  # of the whole, on either side
NEAR = timedelta(days=60)  # today is shown if the dates are this near
MAX_MONTHS = 12  # of more, only some are named


class Month(NamedTuple):
    """The beginning of a month, or of a line within one month, and its place."""

    x: float
    at: datetime


class Window(NamedTuple):
    """A window with its place, width and row; an end that is not set is None."""

    label: str
    x: float
    width: float
    opens: datetime | None
    closes: datetime | None
    row: int

    @property
    def days(self) -> str:
        """The days at its ends, such as "1 Mar on" or "until 11 Mar"."""
        opens, closes = (at and f"{at.day} {at:%b}" for at in (self.opens, self.closes))
        if opens and closes:
            return f"{opens} \N{EN DASH} {closes}"
        return f"{opens} on" if opens else f"until {closes}"

    @property
    def sentence(self) -> str:
        opens = f" from {self.opens.day} {self.opens:%B %Y}" if self.opens else ""
        closes = f" until {self.closes.day} {self.closes:%B %Y}" if self.closes else ""
        return f"{self.label}{opens}{closes}"


class Timeline(NamedTuple):
    """The marks on the line; `now` is None if it is far outside."""

    months: list[Month]
    windows: list[Window]
    now: float | None

    @property
    def sentence(self) -> str:
        return "; ".join(window.sentence for window in self.windows)


def timeline(
    windows: Iterable[tuple[str, datetime | None, datetime | None]], now: datetime
) -> Timeline | None:
    """Lay out windows (name, opening, closing); None without any date.

    A window without an end reaches to the end of the line.

    >>> from datetime import UTC
    >>> day = lambda n: datetime(2026, 3, n, tzinfo=UTC)
    >>> line = timeline([("Judging", day(1), day(11))], now=day(6))
    >>> [(each.label, round(each.x, 1), round(each.width, 1)) for each in line.windows]
    [('Judging', 5.4, 89.3)]
    """
    windows = [each for each in windows if each[1] or each[2]]
    dates = [date for _, *ends in windows for date in ends if date]
    if not dates:
        return None
    first, last = min(dates), max(dates)
    reach = max(last - first, NEAR)
    if first <= now + reach and now <= last + reach:
        first, last = min(first, now), max(last, now)
    margin = max((last - first) * MARGIN, timedelta(days=1) if first == last else timedelta())
    first, last = first - margin, last + margin

    def x(at: datetime) -> float:
        return 100 * ((at - first) / (last - first))

    placed = [
        Window(label, x(opens or first), x(closes or last) - x(opens or first), opens, closes, row)
        for row, (label, opens, closes) in enumerate(windows)
    ]
    months = [Month(x(at), at) for at in _months(first, last)] or [Month(0.0, first)]
    return Timeline(months, placed, x(now) if first <= now <= last else None)


def _months(first: datetime, last: datetime) -> list[datetime]:
    """Return the beginnings of months in between, in the zone of the dates; of many only some."""
    year, month = divmod(first.year * 12 + first.month, 12)
    months = []
    at = first.replace(
        year=year, month=month + 1, day=1, hour=0, minute=0, second=0, microsecond=0, fold=0
    )
    while at < last:
        months.append(at)
        year, month = divmod(at.year * 12 + at.month, 12)
        at = at.replace(year=year, month=month + 1)
    return months[:: -(-len(months) // MAX_MONTHS) or 1]
