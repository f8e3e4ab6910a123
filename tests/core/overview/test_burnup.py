"""The forecast of judging, and its picture."""

from datetime import date, timedelta

import pytest

from assess.core.pace import ENOUGH
from overview.core.burnup import burn_up, forecast

TODAY = date(2026, 12, 9)
DAY = timedelta(days=1)


def days(*counts):
    """Counts of the last days, the last one today's."""
    return {TODAY - n * DAY: count for n, count in enumerate(reversed(counts))}


def test_a_steady_pace_has_one_day():
    found = forecast(days(*[10] * 9), 25, TODAY)
    assert (found.done, found.early, found.late) == (TODAY + 3 * DAY,) * 3


def test_an_uneven_pace_has_a_range_around_its_mean():
    found = forecast(days(0, 40, 0, 40, 0, 40, 0), 100, TODAY)
    assert found.early < found.done < found.late
    assert found.done == TODAY + 6 * DAY  # 120 in seven days


def test_days_before_the_last_seven_do_not_count():
    assert forecast(days(999, *[10] * 7), 25, TODAY).done == TODAY + 3 * DAY


def test_days_without_a_judgment_count():
    assert forecast(days(40, 0, 0, 0), 10, TODAY).done == TODAY + DAY
    assert forecast(days(40, 0, 0, 0), 11, TODAY).done == TODAY + 2 * DAY


@pytest.mark.parametrize(
    ("judged", "n_left"),
    [({}, 5), (days(50), 5), (days(10, ENOUGH - 11), 5), (days(30, 30), 0), (days(30, *[0] * 7), 5), (days(10, 10), 10**6)],
    ids=["nothing", "one day", "too few", "nothing left", "stands still", "years away"],
)  # fmt: skip
def test_nothing_is_said_where_nothing_can_be_said(judged, n_left):
    assert forecast(judged, n_left, TODAY) is None


def test_the_picture_adds_up_and_says_what_it_shows():
    judged = days(5, 0, 20, 15)
    picture = burn_up(
        judged, 60, TODAY, deadline=TODAY + 5 * DAY, qrels=[(TODAY - DAY, "qrels v1"), (TODAY - 90 * DAY, "imported")],
        ahead=forecast(judged, 20, TODAY),
    )  # fmt: skip
    assert [row[:2] for row in picture.rows][:5] == [
        ("5 Dec 2026", "0"), ("6 Dec 2026", "5"), ("7 Dec 2026", "5"), ("8 Dec 2026", "25"), ("9 Dec 2026", "40"),
    ]  # fmt: skip
    assert picture.rows[-1][-1] == "60"
    assert picture.sentence == "40 of 60 documents judged, day by day; at the pace of the last seven days all by 11 Dec; judging closes on 14 Dec."  # fmt: skip
    assert "qrels v1" in picture.svg
    assert "imported" not in picture.svg


def test_one_day_is_no_picture():
    assert burn_up(days(50), 60, TODAY) is None
    assert burn_up({}, 60, TODAY) is None
