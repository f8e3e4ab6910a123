"""Measures as columns of a page, and where a run stands on each topic."""

import math
import statistics
from decimal import Decimal

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.names import parse
from evaluation.core.columns import MINUS, NOTHING, MeasureColumn
from evaluation.core.topics import among, place, spread
from evaluation.web.drawing import column_axis

AP, COUNT, SHARE = (MeasureColumn.of(parse(name)) for name in ("AP", "NumRet", "Judged@10"))
VALUES = st.floats(0, 1).map(lambda value: round(value, 5))


def test_scores_have_three_decimals_counts_none_and_shares_are_percentages():
    nothing = math.nan
    assert [AP.text(value) for value in (0.12345, 1.0, nothing)] == ["0.123", "1.000", NOTHING]
    assert COUNT.text(12345.0) == "12,345"
    assert SHARE.text(0.724) == SHARE.text(0.725) == "72\N{NO-BREAK SPACE}%"
    assert [SHARE.is_low(value) for value in (0.79, 0.7951, 0.8)] == [True, False, False]
    assert not AP.is_low(0.1)


@given(before=VALUES, after=VALUES)
def test_a_change_is_the_difference_of_what_is_shown(before, after):
    change = AP.change(after, before)
    assert Decimal(AP.text(before)) + Decimal(change.replace(MINUS, "-")) == Decimal(AP.text(after))
    assert change.startswith(("+", MINUS)) == (AP.text(before) != AP.text(after))


def test_what_is_missing_has_no_change():
    assert AP.change(math.nan, 0.5) == AP.change(0.5, math.nan) == NOTHING
    assert COUNT.change(1200.0, 3.0) == "+1,197"


def test_what_most_runs_lack_marks_none():
    few, enough = 0.5, 0.9
    assert SHARE.lows([few, enough, enough]) == [True, False, False]
    assert SHARE.lows([few, few, enough]) == [False] * 3
    assert SHARE.n_mostly_low([few, few, enough]) == 2
    assert SHARE.n_mostly_low([few, enough]) == SHARE.n_mostly_low([few]) == 0
    assert SHARE.lows([few, enough]) == [True, False]
    assert SHARE.lows([few]) == [True]  # one alone is marked, not counted
    assert AP.lows([few, few]) == [False, False]


@given(st.lists(VALUES, min_size=2, max_size=9))
def test_the_axis_says_what_the_column_does(values):
    for column in (AP, SHARE):
        axis = column_axis(column, values)
        assert all(-1e-9 <= axis.at(value) <= 1 + 1e-9 for value in values)
        for tick, label in axis.named:
            number = label.removesuffix("\N{NO-BREAK SPACE}%").replace("\N{MINUS SIGN}", "-")
            assert (number != label.replace("\N{MINUS SIGN}", "-")) == column.is_share
            if abs(tick) < 1e4:
                assert math.isclose(
                    float(number.replace(",", "")),
                    tick * (100 if column.is_share else 1),
                    rel_tol=1e-9,
                )


@given(
    st.lists(st.lists(VALUES, min_size=3, max_size=3), min_size=1, max_size=9),
    st.sampled_from([1, -1]),
)
def test_a_run_stands_among_all_on_each_topic(rows, sign):
    values = np.array(rows)
    for topic, found in enumerate(among(values, 0, sign)):
        column = [row[topic] for row in rows]
        assert math.isclose(found.median, statistics.median(column))
        assert (found.summary[0], found.summary[4]) == (min(column), max(column))
        assert list(found.summary) == sorted(found.summary)
        better = [v for v in column if sign * round(v, 4) > sign * round(column[0], 4)]
        assert found.place == place(column, column[0], sign) == 1 + len(better)


def test_runs_for_which_a_topic_does_not_count_are_not_among_all():
    nan, values = math.nan, [0.5, 0.2, 0.4]
    rows = np.array([[nan, nan, 0.2], [0.5, nan, nan], [0.2, nan, 0.4], [0.4, nan, nan]])
    own, none, both = among(rows, 0, 1)
    assert (own.place, own.median, none) == (None, statistics.median(values), None)
    assert (both.place, both.summary[0], both.summary[4]) == (2, 0.2, 0.4)
    own, none, _ = spread(rows)
    assert (own.median, own.place, none) == (0.4, None, None)
