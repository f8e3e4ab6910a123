"""How fast somebody judges, and when they are done: by hand and by what must hold."""

from datetime import UTC, date, datetime, timedelta

import pytest

from assess.core.pace import ENOUGH, SHOWN, WEEK, Dwell, Pace, last_days

TODAY, NOW = date(2026, 12, 9), datetime(2026, 12, 9, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def of(*days: int, since: int = 30) -> Pace:
    """The last days, and the first judgment so many days ago."""
    rest = (0,) * (SHOWN - len(days))
    return Pace((*rest, *days), Dwell(), TODAY - since * DAY, NOW)


def test_too_few_judgments_say_nothing():
    few, enough = ENOUGH - 1, ENOUGH
    assert of(few).done_on(100, TODAY) is None
    assert of(enough).done_on(100, TODAY) is not None
    assert Dwell(few, 30.0).minutes_for(100) is None
    assert Dwell(few, 30.0).an_hour is None
    assert Dwell(enough, 30.0).minutes_for(100) == 50
    assert Dwell(enough, 30.0).an_hour == 120
    assert Pace().done_on(1, TODAY) is None


def test_what_is_left_is_divided_by_the_pace_of_the_last_week():
    a_week = of(*[14] * WEEK)
    assert a_week.done_on(140, TODAY) == TODAY + 10 * DAY
    assert of(1000, *[0] * WEEK).done_on(1, TODAY) is None  # before the last week
    assert of(70, *[0] * (WEEK - 1)).done_on(140, TODAY) == TODAY + 14 * DAY


@pytest.mark.parametrize(
    ("since", "n_days"), [(0, None), (1, 5), (3, 10), (6, 18), (7, 18), (9, 18)]
)
def test_whoever_began_lately_has_a_pace_since_then(since, n_days):
    """Forty on one day, and a hundred left."""
    expected = None if n_days is None else TODAY + n_days * DAY
    assert of(40, since=since).done_on(100, TODAY) == expected


def test_a_steady_pace_has_one_day_and_an_uneven_one_a_range_around_its_mean():
    assert of(*[10] * 9).likely(25, TODAY) == (TODAY + 3 * DAY,) * 3
    found = of(0, 40, 0, 40, 0, 40, 0).likely(100, TODAY)
    assert found.early < found.done < found.late
    assert found.done == TODAY + 6 * DAY  # 120 in seven days


def test_a_date_is_that_of_the_last_document_and_none_lies_beyond_a_year():
    a_week = of(*[20] * WEEK)
    assert a_week.done_on(1, TODAY) == TODAY + DAY
    assert a_week.done_on(21, TODAY) == TODAY + 2 * DAY
    assert a_week.done_on(20 * 365, TODAY) == TODAY + 365 * DAY
    assert a_week.done_on(20 * 365 + 1, TODAY) is None


def test_where_nothing_is_left_nothing_is_forecast():
    assert of(100).done_on(0, TODAY) is None
    assert Dwell(99, 1.0).minutes_for(0) is None
    assert Dwell(99, 1.0).minutes_for(1) == 1


def test_days_end_with_today():
    today = NOW.date()
    days = last_days({today: 3, today - DAY: 2, today - 99 * DAY: 50}, today)
    assert (len(days), days[-2:], sum(days)) == (SHOWN, (2, 3), 5)
