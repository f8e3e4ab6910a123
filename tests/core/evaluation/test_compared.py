"""Two leaderboards side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.family import Best
from evaluation.core.compared import compared, tau
from evaluation.core.leaderboard import BoardEntry, ranked

scores = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.1, 0.2, 0.3, 0.4]))


def board(values):
    return ranked([BoardEntry(tag, tag, [0.0, v], 1, 0) for tag, v in values.items()], 1)


@given(scores, scores)
def test_each_run_of_either_board_has_one_row(before, after):
    rows = compared(board(before), board(after), (1, 1))
    assert sorted(row.tag for row in rows) == sorted({*before, *after})
    for row in rows:
        assert (row.before, row.after) == (before.get(row.tag), after.get(row.tag))
        is_in_both = row.tag in before and row.tag in after
        assert (row.rose is not None, row.change is not None) == (is_in_both,) * 2
    assert [row.tag for row in rows][: len(after)] == [e.tag for e in board(after)]


@given(scores, scores)
def test_runs_that_are_gone_or_new_move_nobody(before, after):
    rows = compared(board(before), board(after), (1, 1))
    here, there = (
        {tag: values[tag] for tag in before.keys() & after.keys()} for values in (before, after)
    )
    alone = {row.tag: row for row in compared(board(here), board(there), (1, 1))}
    for row in rows:
        found = (row.before_rank, row.after_rank, row.rose)
        if row.tag in alone:
            one = alone[row.tag]
            assert found == (one.before_rank, one.after_rank, one.rose)
        else:
            assert found == (None, None, None)


def test_the_run_below_one_that_is_gone_did_not_rise():
    rows = compared(board({"a": 0.4, "b": 0.1}), board({"b": 0.1}), (1, 1))
    assert [(row.tag, row.rose) for row in rows] == [("b", 0), ("a", None)]


def test_a_run_that_had_no_value_moved_nobody():
    rows = compared(board({"a": float("nan"), "b": 0.1}), board({"a": 0.4, "b": 0.1}), (1, 1))
    assert [(row.tag, row.rose) for row in rows] == [("a", None), ("b", 0)]


@given(scores, scores)
def test_tau_is_scipys_over_the_runs_in_both(before, after):
    from scipy.stats import kendalltau  # a second to import, which no other test needs

    rows = compared(board(before), board(after), (1, 1))
    both = [row for row in rows if row.rose is not None]
    is_tied = any(len({getattr(r, name) for r in both}) < 2 for name in ("before", "after"))
    found = tau(rows)
    if is_tied:
        assert found is None
    else:
        theirs = kendalltau([r.before_rank for r in both], [r.after_rank for r in both])
        assert found == pytest.approx(theirs.statistic)


def test_a_run_that_rose_is_told_from_one_that_fell():
    rows = compared(board({"a": 0.4, "b": 0.1}), board({"a": 0.2, "b": 0.3}), (1, 1))
    assert [(row.tag, row.rose) for row in rows] == [("b", 1), ("a", -1)]
    assert [row.change for row in rows] == pytest.approx([0.2, -0.2])


def test_a_lower_value_rises_where_the_lowest_is_the_best():
    rows = compared(board({"a": 0.1, "b": 0.2}), board({"a": 0.3, "b": 0.2}), (1, 1), Best.LOWEST)
    assert {row.tag: row.rose for row in rows} == {"a": -1, "b": 1}
