"""How far judging is, day by day, and how it will go on if everybody keeps the pace of the last week."""

from collections.abc import Mapping, Sequence
from datetime import date

from assess.core.pace import DAY, Likely
from desk.core.outlook import Outlook, Share
from pictures.dates import day_and_month, day_number
from pictures.lines import Limit, Point, Rule, Series, lines
from pictures.picture import Picture


def burn_up(
    judged: Mapping[date, int],
    n_documents: int,
    today: date,
    *,
    deadline: date | None = None,
    qrels: Sequence[tuple[date, str]] = (),
    outlook: Outlook | None = None,
) -> Picture | None:
    """Draw the judged documents of each day added up, up to all that are to be judged; None for less than two days.

    Versions of the qrels stand on the line as hollow dots, the forecast is dashed with its range, the deadline a rule. The
    forecast ends below the top where somebody's pace is not known, or documents have nobody.
    """
    begun = min(judged, default=today)
    if begun >= today:
        return None
    days, total, totals = [begun - DAY], 0, [0]
    for n in range((today - begun).days + 1):
        day = begun + n * DAY
        total += judged.get(day, 0)
        days.append(day)
        totals.append(total)
    so_far = Series("judged", days, totals, area=True)
    points = [Point(today, total, f"today {total:,}")]
    by_day = dict(zip(days, totals, strict=True))
    points += [
        Point(day, by_day[day], name, hollow=True)
        for day, name in qrels
        if day in by_day and day < today
    ]
    series = [so_far]
    if outlook and outlook.done:
        series.append(_ahead(outlook, today, total))
        points.append(_end(outlook, outlook.done, total))
    return lines(
        series,
        sentence=_sentence(total, n_documents, outlook, deadline),
        x_name="day",
        y_name="documents",
        points=points,
        rules=[Rule(deadline, f"deadline {_written(deadline)}")] if deadline else (),
        limits=[Limit(n_documents, f"to judge {n_documents:,}")],
    )


def _ahead(outlook: Outlook, today: date, total: int) -> Series:
    """Return the dashed line, everybody's added up, between the quick one and the slow one."""
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
    """Return how much of what somebody has left for official grades is judged on a day, at an even pace to the end."""
    return share.n_primary * min((day - today) / (end - today), 1.0)


def _end(outlook: Outlook, done: date, total: int) -> Point:
    """Return the dot at the end of the forecast: all is done, or what those with a pace will have done."""
    known: list[Likely] = [each.likely for each in outlook.known if each.likely]
    early, late = max(each.early for each in known), max(each.late for each in known)
    then = total + sum(each.n_primary for each in outlook.known)
    name = "done" if outlook.whole else f"{then:,} by"
    between = f"{_written(early)} to {_written(late)}" if early < late else ""
    return Point(done, then, f"{name} {_written(done)}", between, hollow=True, drop=True)


def _written(day: date) -> str:
    return day_and_month(day_number(day))


def _sentence(total: int, n_documents: int, outlook: Outlook | None, deadline: date | None) -> str:
    said = f"{total:,} of {n_documents:,} documents judged, day by day"
    if outlook and outlook.whole:
        said += f"; at the pace of the last seven days, everything by {_written(outlook.whole)}"
    elif outlook and outlook.partly:
        said += f"; at the pace of the last seven days, {outlook.partly}"
    if deadline:
        said += f"; judging closes on {_written(deadline)}"
    return f"{said}."
