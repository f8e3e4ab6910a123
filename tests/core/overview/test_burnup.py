"""The picture of judging, and of its forecast."""

from datetime import date, timedelta

from assess.core.pace import Likely
from desk.core.outlook import Outlook, Share
from overview.core.burn_up import BurnUp
from overview.web.drawing import burn_up

TODAY = date(2026, 12, 9)
DAY = timedelta(days=1)


def days(*counts):
    """Counts of the last days, the last one today's."""
    return {TODAY - n * DAY: count for n, count in enumerate(reversed(counts))}


def share(name, n, *ends, n_primary=None):
    """So many documents left, and after how many days they are done: likely, early, late."""
    likely = Likely(*(TODAY + end * DAY for end in ends)) if ends else None
    return Share(name, n, n if n_primary is None else n_primary, bool(ends), likely)


def test_the_picture_adds_up_and_says_what_it_shows():
    judged = days(5, 0, 20, 15)
    qrels = [(TODAY - DAY, "qrels v1"), (TODAY - 90 * DAY, "imported")]
    picture = burn_up(
        BurnUp(judged, 60, TODAY, deadline=TODAY + 5 * DAY, qrels=qrels),
        Outlook([share("Ada", 20, 2, 2, 2)]),
    )
    first = [row[:2] for row in picture.rows][:5]
    assert first == [(f"{5 + n} Dec 2026", str(so)) for n, so in enumerate((0, 5, 5, 25, 40))]
    assert picture.rows[-1][-1] == "60"
    assert (
        picture.sentence
        == "40 of 60 documents judged, day by day; at the pace of the last seven days, everything "
        "by 11 Dec; judging closes on 14 Dec."
    )
    assert "qrels v1" in picture.svg
    assert "imported" not in picture.svg


def test_one_day_is_no_picture():
    assert burn_up(BurnUp(days(50), 60, TODAY)) is None
    assert burn_up(BurnUp({}, 60, TODAY)) is None


def forecast_rows(picture):
    return {row[0]: row[2:] for row in picture.rows if any(row[2:])}


def test_the_forecast_goes_on_until_the_last_one_is_done():
    """Ada judges ten a day for two days, Ben five a day for four; Cleo has only second opinions
    left.
    """
    outlook = Outlook(
        [
            share("Ada", 20, 2, 2, 2),
            share("Ben", 20, 4, 3, 5),
            share("Cleo", 9, 6, 6, 6, n_primary=0),
        ]
    )
    picture = burn_up(BurnUp(days(5, 15), 60, TODAY), outlook)
    middle = {day: row[0] for day, row in forecast_rows(picture).items()}
    expected = {9: "20", 11: "50", 12: "55", 13: "60", 14: "60", 15: "60"}
    assert middle == {f"{day} Dec 2026": so_far for day, so_far in expected.items()}
    assert "done 15 Dec" in picture.svg


def test_the_forecast_ends_below_the_top_where_somebody_has_no_pace():
    outlook = Outlook([share("Ada", 20, 2, 1, 3), share("Cleo", 20)])
    picture = burn_up(BurnUp(days(5, 15), 60, TODAY), outlook)
    assert "40 by 11 Dec" in picture.svg
    assert "10 Dec to 12 Dec" in picture.svg
    assert "done 11 Dec" not in picture.svg
    assert "Cleo has not started 20 documents" in picture.sentence


def test_a_range_of_one_day_is_not_written():
    picture = burn_up(BurnUp(days(5, 15), 40, TODAY), Outlook([share("Ada", 20, 2, 2, 2)]))
    assert "done 11 Dec" in picture.svg
    assert "11 Dec to" not in picture.svg
