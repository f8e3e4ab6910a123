"""The dates of a campaign on one line, for a picture: everything in percent of the time between the first date and the last."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

MARGIN = 0.06  # of the whole, on either side
NEAR = timedelta(days=60)  # today is shown from so far away
MAX_MONTHS = 12  # more are not named, but for some


class Month(NamedTuple):
    """The beginning of a month, or of a line that lies within one: its place in percent, and its name."""

    x: float
    at: datetime


class Bar(NamedTuple):
    """A window: its name, its place and width in percent, whether its ends are set, and its row."""

    label: str
    x: float
    width: float
    opens: datetime | None
    closes: datetime | None
    row: int


class Timeline(NamedTuple):
    """What stands on the line; `now` is None where it lies far outside."""

    months: list[Month]
    bars: list[Bar]
    now: float | None


def timeline(
    windows: Iterable[tuple[str, datetime | None, datetime | None]], now: datetime
) -> Timeline | None:
    """Lay out windows, each with a name, an opening and a closing; None without any date. A missing end is the end of the line.

    >>> from datetime import UTC
    >>> day = lambda n: datetime(2026, 3, n, tzinfo=UTC)
    >>> line = timeline([("Judging", day(1), day(11))], now=day(6))
    >>> [(bar.label, round(bar.x, 1), round(bar.width, 1)) for bar in line.bars], round(line.now, 1)
    ([('Judging', 5.4, 89.3)], 50.0)
    """
    wanted = [each for each in windows if each[1] or each[2]]
    dates = [date for _, *both in wanted for date in both if date]
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

    bars = [
        Bar(label, x(opens or first), x(closes or last) - x(opens or first), opens, closes, row)
        for row, (label, opens, closes) in enumerate(wanted)
    ]
    months = [Month(x(at), at) for at in _months(first, last)] or [Month(0.0, first)]
    return Timeline(months, bars, x(now) if first <= now <= last else None)


def _months(first: datetime, last: datetime) -> list[datetime]:
    """Return the beginnings of months in between, in the zone of the dates; of many only some."""
    year, month = divmod(first.year * 12 + first.month, 12)
    found = []
    at = first.replace(
        year=year, month=month + 1, day=1, hour=0, minute=0, second=0, microsecond=0, fold=0
    )
    while at < last:
        found.append(at)
        year, month = divmod(at.year * 12 + at.month, 12)
        at = at.replace(year=year, month=month + 1)
    return found[:: -(-len(found) // MAX_MONTHS) or 1]
