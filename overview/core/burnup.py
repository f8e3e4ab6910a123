"""How far judging is, day by day, and when it will be done at the pace of the last week."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import stdev

from assess.core.pace import DAY, FARTHEST, last_days, last_week
from pictures.dates import day_and_month, day_number
from pictures.lines import Limit, Point, Rule, Series, lines
from pictures.picture import Picture


@dataclass(frozen=True)
class Forecast:
    """The day on which the last document will be judged, and the days between which it is likely to be."""

    done: date
    early: date
    late: date


def forecast(judged: Mapping[date, int], n_left: int, today: date) -> Forecast | None:
    """Return when the rest will be judged, at the mean of the last seven days, or of those since the first judgment.

    The range is of one standard error of that mean on either side. None where nothing is left, or nothing can be said:
    fewer than 20 judgments in those days, or only one of them.

    >>> week = {date(2026, 3, day): 100 for day in range(1, 8)}
    >>> forecast(week, n_left=250, today=date(2026, 3, 7)).done
    datetime.date(2026, 3, 10)
    """
    week = last_week(last_days(judged, today), min(judged, default=None), today)
    if not n_left or not week:
        return None
    mean = sum(week) / len(week)
    error = stdev(week) / math.sqrt(len(week))
    # Slower than half the mean is not likely, and no pace at all is no date.
    paces = (mean, mean + error, max(mean - error, mean / 2))
    done, early, late = (math.ceil(n_left / pace) for pace in paces)
    if done > FARTHEST:
        return None
    return Forecast(today + done * DAY, today + early * DAY, today + late * DAY)


def burn_up(
    judged: Mapping[date, int],
    n_documents: int,
    today: date,
    *,
    deadline: date | None = None,
    qrels: Sequence[tuple[date, str]] = (),
    ahead: Forecast | None = None,
) -> Picture | None:
    """Draw the judged documents of each day added up, up to all that are to be judged; None for less than two days.

    Versions of the qrels stand on the line as hollow dots, the forecast is dashed with its range, the deadline a rule.
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
    points += [Point(day, by_day[day], name, hollow=True) for day, name in qrels if day in by_day and day < today]  # fmt: skip
    series = [so_far]
    if ahead:
        series.append(_ahead(ahead, today, total, n_documents))
        between = f"{day_and_month(day_number(ahead.early))} to {day_and_month(day_number(ahead.late))}"  # fmt: skip
        points.append(Point(ahead.done, n_documents, f"done {day_and_month(day_number(ahead.done))}", between, hollow=True, drop=True))  # fmt: skip
    return lines(
        series,
        sentence=_sentence(total, n_documents, ahead, deadline),
        x_name="day",
        y_name="documents",
        points=points,
        rules=[Rule(deadline, f"deadline {day_and_month(day_number(deadline))}")] if deadline else (),
        limits=[Limit(n_documents, f"to judge {n_documents:,}")],
    )  # fmt: skip


def _ahead(ahead: Forecast, today: date, total: int, n_documents: int) -> Series:
    """Return the dashed line to the end, between the quick one and the slow one."""
    days = sorted({today, ahead.early, ahead.done, ahead.late})

    def at(day: date, end: date) -> float:
        part = (day - today) / (end - today) if end > today else 1.0
        return round(total + (n_documents - total) * min(part, 1.0))

    middle = [at(day, ahead.done) if day <= ahead.done else None for day in days]
    lows = [at(day, ahead.late) for day in days]
    highs = [at(day, ahead.early) for day in days]
    return Series("forecast", days, middle, dashed=True, lows=lows, highs=highs)


def _sentence(total: int, n_documents: int, ahead: Forecast | None, deadline: date | None) -> str:  # fmt: skip
    said = f"{total:,} of {n_documents:,} documents judged, day by day"
    if ahead:
        said += f"; at the pace of the last seven days all by {day_and_month(day_number(ahead.done))}"
    if deadline:
        said += f"; judging closes on {day_and_month(day_number(deadline))}"
    return f"{said}."
