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
    ("rest", "n_nobodys", "said"),
    [
        ([CLEO], 0, "Cleo has not started (86 documents)"),
        (
            [CLEO, share("Dan", 4, None, has_begun=False)],
            0,
            "2 assessors have not started (90 documents)",
        ),
        ([share("Eve", 1, None)], 0, "Eve's 1 document has no date yet"),
        (
            [share("Eve", 1, None), share("Fay", 5, None)],
            0,
            "6 documents of 2 other assessors have no date yet",
        ),
        ([], 1, "1 document has no assessor"),
        ([CLEO], 40, "Cleo has not started (86 documents). 40 documents have no assessor"),
    ],
)
def test_there_is_no_day_for_all_while_one_is_not_known(rest, n_nobodys, said):
    outlook = Outlook([ADA, BEN, *rest], n_nobodys, TODAY + 7 * DAY)
    assert (outlook.whole, outlook.against) == (None, "")
    assert outlook.partly == f"Ada and Ben finish about 26 November. {said}"


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
    assert (
        beyond.partly
        == "Ada, Ben and the shared topics finish about 28 November. 2 documents in shared topics "
        "cannot get their judgments"
    )
    alone = Outlook([], shared=group, n_stuck=1)
    assert (
        alone.partly
        == "the shared topics finish about 28 November. 1 document in shared topics cannot get its "
        "judgments"
    )


def test_where_the_group_has_no_pace_no_date_is_said_for_shared_topics():
    outlook = Outlook([ADA], shared=share("the shared topics", 30, None))
    assert outlook.whole is None
    assert outlook.partly.endswith(". The 30 documents left in shared topics have no date yet")
