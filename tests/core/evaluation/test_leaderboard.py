"""Runs in order."""

from evaluation.core.leaderboard import BoardEntry, ranked


def board(column=0, **values):
    entries = [BoardEntry(tag, None, own, 1, 0) for tag, own in values.items()]
    return [(entry.rank, entry.tag) for entry in ranked(entries, column)]


def test_figures_equal_as_shown_share_a_rank_and_go_by_tag():
    found = board(c=[0.5], b=[0.12344], a=[0.12341], d=[0.1])
    assert found == [(1, "c"), (2, "a"), (2, "b"), (4, "d")]


def test_any_column_may_decide():
    assert board(1, a=[1.0, 0.0], b=[0.0, 1.0]) == [(1, "b"), (2, "a")]
