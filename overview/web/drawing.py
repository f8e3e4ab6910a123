"""The burn-up chart of judging, with a forecast at the pace of the last week."""

from collections.abc import Mapping
from datetime import date
from itertools import accumulate

from assess.core.pace import DAY, Likely
from cleverdon.pictures.dates import day_and_month, day_number
from cleverdon.pictures.lines import Limit, Point, Rule, Series, lines
from cleverdon.pictures.picture import Picture
from desk.core.outlook import Outlook, Share
from overview.core.burn_up import BurnUp


def burn_up(so_far: BurnUp, outlook: Outlook | None = None) -> Picture | None:
    """Draw the documents judged so far, by day, against the total; None for fewer than two days.

    Qrels versions are hollow dots on the line, the forecast is dashed with its range, the deadline
    a rule. The forecast ends below the top if a pace is unknown or documents are unassigned.
    """
    today, deadline = so_far.today, so_far.deadline
    by_day = _sums(so_far.n_judged_on, today)
    if not by_day:
        return None
    total = by_day[today]
    series = [Series("judged", list(by_day), list(by_day.values()), area=True)]
    points = [Point(today, total, f"today {total:,}")]
    points += [
        Point(day, by_day[day], name, hollow=True)
        for day, name in so_far.qrels
        if day in by_day and day < today
    ]
    if outlook and outlook.done:
        series.append(_ahead(outlook, today, total))
        points.append(_end(outlook, outlook.done, total))
    return lines(
        series,
        sentence=_sentence(total, so_far.n_documents, outlook, deadline),
        x_name="day",
        y_name="documents",
        points=points,
        rules=[Rule(deadline, f"deadline {_written(deadline)}")] if deadline else (),
        limits=[Limit(so_far.n_documents, f"to judge {so_far.n_documents:,}")],
    )


def _sums(judged: Mapping[date, int], today: date) -> dict[date, int]:
    """Return the sum by each day, from 0 on the day before the first judgment until today."""
    first = min(judged, default=today)
    if first >= today:
        return {}
    days = [first + n * DAY for n in range((today - first).days + 1)]
    sums = accumulate(judged.get(day, 0) for day in days)
    return {first - DAY: 0, **dict(zip(days, sums, strict=True))}


def _ahead(outlook: Outlook, today: date, total: int) -> Series:
    """Return the forecast of all assessors together, with its early and late ends."""
    known = [(share, share.likely) for share in outlook.known if share.likely]
    ends = {day for _, likely in known for day in likely}
    days = sorted({today, *ends})
    done = outlook.done or today

    def at(day: date, end: str) -> int:
        return round(
            total + sum(_part(share, day, today, getattr(likely, end)) for share, likely in known)
        )

    middle = [at(day, "done") if day <= done else None for day in days]
    lows = [at(day, "late") for day in days]
    highs = [at(day, "early") for day in days]
    return Series("forecast", days, middle, dashed=True, lows=lows, highs=highs)


def _part(share: Share, day: date, today: date, end: date) -> float:
    """Return the official grades that somebody gives by `day` at an even pace to the end."""
    return share.n_primary * min((day - today) / (end - today), 1.0)


def _end(outlook: Outlook, done: date, total: int) -> Point:
    """Return the end of the forecast: all is done, or the part of those with a known pace."""
    known: list[Likely] = [each.likely for each in outlook.known if each.likely]
    early, late = max(each.early for each in known), max(each.late for each in known)
    n_done = total + sum(each.n_primary for each in outlook.known)
    name = "done" if outlook.whole else f"{n_done:,} by"
    between = f"{_written(early)} to {_written(late)}" if early < late else ""
    return Point(done, n_done, f"{name} {_written(done)}", between, hollow=True, drop=True)


def _written(day: date) -> str:
    return day_and_month(day_number(day))


def _sentence(total: int, n_documents: int, outlook: Outlook | None, deadline: date | None) -> str:
    sentence = f"{total:,} of {n_documents:,} documents judged, day by day"
    if outlook and outlook.whole:
        sentence += f"; at the pace of the last seven days, everything by {_written(outlook.whole)}"
    elif outlook and outlook.partly:
        sentence += f"; at the pace of the last seven days, {outlook.partly}"
    if deadline:
        sentence += f"; judging closes on {_written(deadline)}"
    return f"{sentence}."
