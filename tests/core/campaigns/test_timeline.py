"""A campaign's dates laid out on one line."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from campaigns.core.timeline import MAX_MONTHS, timeline

DAY = timedelta(days=1)
MARCH = datetime(2026, 3, 1, tzinfo=UTC)


def bars(line):
    return [(bar.label, round(bar.x), round(bar.x + bar.width)) for bar in line.windows]


def test_windows_stand_where_their_dates_are():
    windows = [
        ("Submission", MARCH, MARCH + 10 * DAY),
        ("Judging", MARCH + 20 * DAY, MARCH + 100 * DAY),
    ]
    line = timeline(windows, now=MARCH + 50 * DAY)
    assert bars(line) == [("Submission", 5, 14), ("Judging", 23, 95)]
    assert line.now == pytest.approx(50)
    assert [month.at.month for month in line.months] == [3, 4, 5, 6]


def test_without_dates_there_is_no_line():
    assert timeline([("Submission", None, None)], now=MARCH) is None


def test_a_missing_end_is_the_end_of_the_line():
    line = timeline(
        [("A", None, MARCH), ("B", MARCH + 10 * DAY, None), ("C", None, None)], now=MARCH
    )
    assert bars(line) == [("A", 0, 5), ("B", 95, 100)]


def test_a_single_date_has_room_around_it():
    line = timeline([("A", MARCH, None)], now=MARCH + 400 * DAY)
    assert bars(line) == [("A", 50, 100)]
    assert line.now is None


def test_today_is_shown_beside_a_date_that_is_near():
    line = timeline([("Judging", None, MARCH + 6 * DAY)], now=MARCH)
    assert line.now == pytest.approx(5, abs=1)
    assert bars(line) == [("Judging", 0, 95)]


def test_a_line_within_a_month_names_it():
    line = timeline([("Judging", MARCH + 5 * DAY, MARCH + 9 * DAY)], now=MARCH + 6 * DAY)
    assert [(month.x, month.at.month) for month in line.months] == [(0, 3)]


def test_now_far_outside_does_not_squeeze_the_line():
    line = timeline([("A", MARCH, MARCH + DAY)], now=MARCH - 61 * DAY)
    assert line.now is None
    assert bars(line) == [("A", 5, 95)]


@pytest.mark.parametrize("years", [0.5, 3, 40])
def test_months_have_room_and_are_the_zone_s(years):
    zone = ZoneInfo("Pacific/Auckland")
    opens = MARCH.astimezone(zone)
    line = timeline([("A", opens, opens + years * 365 * DAY)], now=opens)
    assert 2 <= len(line.months) <= MAX_MONTHS
    assert all((at.day, at.hour) == (1, 0) and 0 <= x < 100 for x, at in line.months)
