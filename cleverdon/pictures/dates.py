"""Days as numbers, and the days to name on an axis; a moment counts in its own zone."""

from datetime import date, datetime, timedelta

from cleverdon.pictures.scales import Axis

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Days between ticks, from every day to every second week.
STEPS = (1, 2, 7, 14)
MONTH_STEPS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
HOUR_STEPS = (1, 2, 3, 6, 12)
DAY = timedelta(days=1)

When = date | datetime


def day_number(when: When) -> float:
    """Return the days since the year 1, with the time of day as a fraction."""
    if not isinstance(when, datetime):
        return float(when.toordinal())
    midnight = when.replace(hour=0, minute=0, second=0, microsecond=0)
    return when.toordinal() + (when - midnight) / DAY


def day_and_month(number: float) -> str:
    """Write a day as on an axis: 23 Nov."""
    day = date.fromordinal(int(number))
    return f"{day.day} {MONTHS[day.month - 1]}"


def in_words(number: float) -> str:
    """Write a day with its year and, if it has one, its time: 23 Nov 2026, 14:30."""
    day, minutes = divmod(round(number * 24 * 60), 24 * 60)
    text = f"{day_and_month(day)} {date.fromordinal(day).year}"
    return f"{text}, {minutes // 60:02}:{minutes % 60:02}" if minutes else text


def date_scale(low: float, high: float, at_most: int) -> Axis:
    """Return an axis with `at_most` ticks: hours, days from the first on, or firsts of months."""
    if high <= low:
        low, high = low - 0.5, high + 0.5
    if high - low < 2:
        return Axis(low, high, *_hours(low, high, at_most))
    for step in STEPS:
        days = [float(day) for day in range(_first_day(low), int(high) + 1, step)]
        if len(days) <= at_most:
            return Axis(low, high, tuple(days), tuple(map(day_and_month, days)))
    return Axis(low, high, *_months(low, high, at_most))


def _first_day(low: float) -> int:
    return int(low) + (low > int(low))


def _hours(low: float, high: float, at_most: int) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return full hours; midnight is named by the day."""
    for step in HOUR_STEPS:
        first, last = -(-low * 24 // step), high * 24 // step
        hours = [n * step for n in range(int(first), int(last) + 1)]
        if len(hours) <= at_most:
            break
    else:
        hours = [24 * n for n in range(_first_day(low), int(high) + 1)]
    labels = [f"{n % 24:02}:00" if n % 24 else day_and_month(n // 24) for n in hours]
    return tuple(n / 24 for n in hours), tuple(labels)


def _months(low: float, high: float, at_most: int) -> tuple[tuple[float, ...], tuple[str, ...]]:
    start, end = (
        12 * day.year + day.month - 1
        for day in (date.fromordinal(int(low)), date.fromordinal(int(high)))
    )
    for step in MONTH_STEPS:
        months = list(range(-(-start // step) * step, end + 1, step))
        days = [(date(n // 12, n % 12 + 1, 1).toordinal(), n) for n in months]
        days = [(day, n) for day, n in days if low <= day <= high]
        if len(days) <= at_most:
            break
    labels = [str(n // 12) if step >= 12 or n % 12 == 0 else MONTHS[n % 12] for _, n in days]
    return tuple(float(day) for day, _ in days), tuple(labels)
