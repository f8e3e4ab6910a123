"""Runs in order."""

from cleverdon.measures.family import Best
from cleverdon.measures.table import FAMILIES
from evaluation.core.leaderboard import BoardEntry, ranked


def board(column=0, best=Best.HIGHEST, **values):
    entries = [BoardEntry(tag, None, own, 1, 0) for tag, own in values.items()]
    return [(entry.rank, entry.tag) for entry in ranked(entries, column, best)]


def test_figures_equal_as_shown_share_a_rank_and_go_by_tag():
    found = board(c=[0.5], b=[0.12344], a=[0.12341], d=[0.1])
    assert found == [(1, "c"), (2, "a"), (2, "b"), (4, "d")]


def test_any_column_may_decide():
    assert board(1, a=[1.0, 0.0], b=[0.0, 1.0]) == [(1, "b"), (2, "a")]


def test_the_lowest_comes_first_where_that_is_the_best():
    found = board(best=Best.LOWEST, c=[0.5], b=[0.12344], a=[0.12341], d=[0.1])
    assert found == [(1, "d"), (2, "a"), (2, "b"), (4, "c")]
    assert board(best=Best.NONE, a=[1.0], b=[2.0]) == [(1, "b"), (2, "a")]


def test_a_measure_that_is_better_lower_says_so():
    lowest = {each.name for each in FAMILIES if each.best is Best.LOWEST}
    assert lowest == {each.name for each in FAMILIES if "The lower the better" in each.definition}
    assert lowest == {"ESL", "Fallout", "SetFallout"}


def test_a_run_without_a_value_has_no_place_and_comes_last():
    none = float("nan")
    assert board(a=[none], b=[0.1], c=[0.2]) == [(1, "c"), (2, "b"), (None, "a")]
    assert board(best=Best.LOWEST, a=[none], b=[0.1]) == [(1, "b"), (None, "a")]
