"""Runs, sessions, quarters and trends: against every order, simulation and another formula."""

from itertools import permutations, product
from math import comb
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.core.patterns import (
    are_quick,
    codes,
    each_group,
    group_medians,
    longest_runs,
    quarters,
    run_bound,
    session_of,
    trends,
)


def longest(places, value=1) -> int:
    best = now = 0
    for each in places:
        now = now + 1 if each == value else 0
        best = max(best, now)
    return best


def exactly(n: int, k: int, length: int) -> float:
    """By the number of ways to fill the gaps with fewer each: the whole inclusion and exclusion."""
    rest = n - k
    fewer = sum(
        (-1) ** j * comb(rest + 1, j) * comb(n - j * length, rest)
        for j in range(rest + 2)
        if n - j * length >= rest
    )
    return 1 - fewer / comb(n, k)


def test_the_exact_probability_of_a_run_is_that_of_all_orders():
    for n in range(1, 11):
        for k in range(1, n + 1):
            orders = [each for each in product((0, 1), repeat=n) if sum(each) == k]
            for length in range(1, k + 1):
                n_long = sum(longest(each) >= length for each in orders)
                assert exactly(n, k, length) == pytest.approx(n_long / len(orders))


@given(st.integers(1, 60), st.data())
def test_the_bound_of_a_run_is_never_too_low_and_close_where_it_is_small(n, data):
    k = data.draw(st.integers(1, n))
    length = data.draw(st.integers(1, k))
    bound, exact = run_bound(n, k, length), exactly(n, k, length)
    assert exact - 1e-9 <= bound <= 1
    if bound < 0.5:
        assert bound - bound**2 / 2 <= exact + 1e-9


def test_the_bound_holds_in_simulated_orders():
    rng = np.random.default_rng(1)
    places = np.repeat([1, 0], [140, 60])
    found = sum(longest(rng.permutation(places)) >= 17 for _ in range(4000)) / 4000
    assert 0 < found <= run_bound(200, 140, 17) + 0.02
    assert found == pytest.approx(exactly(200, 140, 17), abs=0.02)


def test_no_run_is_longer_than_what_there_is():
    assert run_bound(10, 3, 4) == 0
    assert run_bound(10, 10, 10) == 1, "who gives one grade has no unlikely run"


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30))
def test_the_longest_run_of_each_grade_is_found_where_it_is(grades):
    found = list(longest_runs(np.array(grades)))
    assert [grade for grade, _, _ in found] == sorted(set(grades))
    for grade, start, length in found:
        assert grades[start : start + length] == [grade] * length
        assert length == longest(grades, grade)


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0.1, 1e4)), min_size=1, max_size=40))
def test_the_median_of_a_group_is_that_of_its_values(rows):
    groups, values = map(np.array, zip(*rows, strict=True))
    found = group_medians(groups, values)
    for group, value in zip(groups, found, strict=True):
        assert value == pytest.approx(median(v for g, v in rows if g == group))


def test_a_time_is_quick_only_against_both_medians():
    assessor = np.array([1, 1, 1, 2, 2, 2])
    topic = np.array([1, 1, 2, 2, 2, 1])
    seconds = np.array([40.0, 40, 9, 8, 8, 8])
    assert are_quick(seconds, assessor, topic, 1 / 4).tolist() == [False] * 6, "the topic is quick"
    seconds[2:5] = 9, 40, 40
    assert are_quick(seconds, assessor, topic, 1 / 4).tolist() == [0, 0, 1, 0, 0, 1]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=30))
def test_groups_are_the_different_rows_and_have_their_rows_in_order(rows):
    columns = [np.array([row[n] for row in rows], dtype=np.int64) for n in range(2)]
    found = [each.tolist() for each in each_group(*columns)]
    assert sorted(row for each in found for row in each) == list(range(len(rows)))
    assert all(each == sorted(each) for each in found)
    assert len({codes(*columns)[each[0]] for each in found}) == len(set(rows)) == len(found)


def test_a_session_ends_with_a_gap_or_with_a_person():
    at = np.array([0.0, 1799, 3599, 3600])
    assert session_of(np.array([1, 1, 1, 1]), at).tolist() == [0, 0, 1, 1]
    assert session_of(np.array([1, 1, 2, 2]), np.array([0.0, 1, 2, 3])).tolist() == [0, 0, 1, 1]


@given(st.lists(st.integers(1, 50), min_size=1, max_size=5))
def test_quarters_of_a_session_differ_by_one_act_at_most(sizes):
    size, quarter = quarters(np.repeat(np.arange(len(sizes)), sizes))
    assert size.tolist() == np.repeat(sizes, sizes).tolist()
    end = 0
    for n in sizes:
        its = quarter[end : (end := end + n)]
        counts = np.bincount(its, minlength=4)
        assert (np.diff(its) >= 0).all()
        assert counts.max() - counts.min() <= 1


def test_the_trend_of_one_stratum_is_its_correlation():
    rng = np.random.default_rng(2)
    scores, values = rng.integers(0, 4, 30).astype(float), rng.normal(size=30)
    nothing = np.zeros(30, dtype=np.int64)
    [z], [p] = trends(scores, values, nothing, nothing)
    assert z == pytest.approx(np.corrcoef(scores, values)[0, 1] * np.sqrt(29))
    assert 0 < p < 1


def test_mean_and_variance_of_the_trend_are_those_of_all_orders():
    scores = np.array([0.0, 1, 2, 3, 0, 3])
    values = np.array([1.0, 0, 0, 1, 1, 0])
    strata = np.array([0, 0, 0, 0, 1, 1])
    sums = [
        scores[:4] @ np.array(one) + scores[4:] @ np.array(other)
        for one in permutations(values[:4])
        for other in permutations(values[4:])
    ]
    [z], _ = trends(scores, values, strata, np.zeros(6, dtype=np.int64))
    assert z == pytest.approx((scores @ values - np.mean(sums)) / np.std(sums))


def test_a_difference_between_strata_is_no_trend():
    """A first topic that is all relevant, judged before one where nothing is."""
    quarter, relevant = np.repeat([0.0, 3], 10), np.repeat([1.0, 0], 10)
    topic, person = np.repeat([0, 1], 10), np.zeros(20, dtype=np.int64)
    z, p = trends(quarter, relevant, topic, person)
    assert np.isnan(z).all()
    assert np.isnan(p).all()
    [z], [p] = trends(quarter, relevant, person, person)
    assert z < -4
    assert p < 0.001


def test_groups_have_trends_of_their_own():
    rng = np.random.default_rng(3)
    scores, values = rng.integers(0, 4, 40).astype(float), rng.normal(size=40)
    strata, groups = np.repeat([0, 1], 20), np.repeat([0, 1], 20)
    z, _ = trends(scores, values, strata, groups)
    nothing = np.zeros(20, dtype=np.int64)
    alone = [
        trends(scores[rows], values[rows], nothing, nothing)[0][0]
        for rows in (slice(20), slice(20, 40))
    ]
    assert z.tolist() == pytest.approx(alone)


def test_where_chance_rules_few_trends_are_significant():
    rng = np.random.default_rng(4)
    n, size = 400, 40
    groups = np.repeat(np.arange(n), size)
    values = (rng.random(n * size) < 0.3).astype(float)
    scores = np.tile(4 * np.arange(size) // size, n).astype(float)
    _, p = trends(scores, values, groups, groups)
    assert (p < 0.05).mean() == pytest.approx(0.05, abs=0.03)
