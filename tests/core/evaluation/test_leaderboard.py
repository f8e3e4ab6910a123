"""Runs in order."""

from evaluation.core.leaderboard import Row, lines


def test_figures_equal_as_shown_share_a_rank_and_go_by_tag():
    rows = [
        Row("c", None, [0.5], 1, 0),
        Row("b", None, [0.12344], 1, 0),
        Row("a", None, [0.12341], 1, 0),
        Row("d", None, [0.1], 1, 0),
    ]
    assert [(line.rank, line.row.tag) for line in lines(rows, 0)] == [
        (1, "c"),
        (2, "a"),
        (2, "b"),
        (4, "d"),
    ]


def test_any_column_may_decide():
    rows = [Row("a", None, [1.0, 0.0], 1, 0), Row("b", None, [0.0, 1.0], 1, 0)]
    assert [line.row.tag for line in lines(rows, 1)] == ["b", "a"]
