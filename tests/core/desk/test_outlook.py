"""When several people will be done: the last of them decides, and some have no date."""

from datetime import date, timedelta

import pytest

from assess.core.pace import Likely
from desk.core.outlook import Outlook, Share

TODAY = date(2026, 11, 22)
DAY = timedelta(days=1)


def share(name: str, n_left: int, days: int | None, *, has_begun: bool = True) -> Share:
    day = None if days is None else TODAY + days * DAY
    return Share(name, n_left, n_left, has_begun, day and Likely(day, day, day))


ADA, BEN = share("Ada", 65, 2), share("Ben", 70, 4)
CLEO = share("Cleo", 86, None, has_begun=False)


def test_all_are_done_when_the_last_one_is():
    both = Outlook([ADA, BEN], deadline=TODAY + 7 * DAY)
    assert both.whole == both.done == BEN.likely.done
    assert both.against == ", three days early"
    assert both.partly == ""


@pytest.mark.parametrize(
    ("rest", "n_nobodys", "numbers"),
    [
        ([CLEO], 0, "Cleo has not started 86 documents"),
        (
            [CLEO, share("Dan", 4, None, has_begun=False)],
            0,
            "Cleo and Dan have not started 90 documents",
        ),
        (
            [share("Eve", 1, None), share("Fay", 5, None)],
            0,
            "6 documents with people who judge too slowly to tell",
        ),
        ([], 1, "1 document without an assessor"),
        ([CLEO], 40, "Cleo has not started 86 documents; 40 documents without an assessor"),
    ],
)
def test_there_is_no_day_for_all_while_one_is_not_known(rest, n_nobodys, numbers):
    outlook = Outlook([ADA, BEN, *rest], n_nobodys, TODAY + 7 * DAY)
    assert (outlook.whole, outlook.against) == (None, "")
    assert outlook.partly == f"Ada and Ben finish about 26 November. {numbers}"


def test_where_nobody_has_a_pace_nothing_is_said():
    nobody = Outlook([CLEO])
    assert (nobody.done, nobody.whole, nobody.partly) == (None, None, "")


def test_many_are_counted():
    crowd = Outlook([ADA, BEN, share("Dan", 1, 1), share("Eve", 1, 1), CLEO])
    assert crowd.partly.startswith("4 assessors finish about 26 November.")


def test_shared_topics_have_a_day_of_their_own():
    group = share("the shared topics", 30, 6)
    both = Outlook([ADA, BEN], shared=group)
    assert both.whole == group.likely.done
    beyond = Outlook([ADA, BEN], shared=group, n_stuck=2)
    assert beyond.partly == (
        "Ada, Ben and the shared topics finish about 28 November. "
        "2 documents that too few people can judge"
    )
    alone = Outlook([], shared=group, n_stuck=1)
    assert alone.partly.startswith("the shared topics finish about 28 November. ")


def test_where_the_group_has_no_pace_no_date_is_said_for_shared_topics():
    outlook = Outlook([ADA], shared=share("the shared topics", 30, None))
    assert outlook.whole is None
    assert outlook.partly.endswith("30 documents of shared topics without a date")
