"""Sizes and contributions of a pool."""

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pools.entries import Recipe
from pooling.core.statistics import PoolSizes, contributed, most_documents, schedule, workload
from tests.core.pooling.made import MANY_RUNS, TOPICS, Rankings, formed


def pooled(runs: dict[str, Rankings], depth: int):
    return formed(runs, Recipe("depth", {"depth": depth}, 7))


@pytest.mark.parametrize("depth", [0, 3])
def test_a_size_beyond_the_depths_counted_is_refused(depth):
    with pytest.raises(ValueError, match=f"depths 1 to 2, not {depth}"):
        PoolSizes(("1",), np.array([[1, 1]])).at(depth)


def test_hours_are_judgments_times_seconds_divided_among_the_assessors():
    plan = workload(720, second_percent=50, seconds_per_judgment=30, n_assessors=3)
    assert (plan.n_judgments, plan.hours, plan.hours_each) == (1080, 9.0, 3.0)
    nobody = workload(720, second_percent=0, seconds_per_judgment=30, n_assessors=0)
    assert (nobody.n_judgments, nobody.hours, nobody.hours_each) == (720, 6.0, None)
    assert (plan.in_hours, plan.each_in_hours, nobody.each_in_hours) == ("9.0", "3.0", "")


def test_a_few_minutes_of_work_are_not_written_as_no_hours():
    many = workload(220, second_percent=0, seconds_per_judgment=20, n_assessors=30)
    assert (many.in_hours, many.each_in_hours) == ("1.2", "under 0.1")
    large = workload(200_000, second_percent=0, seconds_per_judgment=36, n_assessors=1)
    assert large.in_hours == "2,000.0"
    assert workload(0, second_percent=0, seconds_per_judgment=20, n_assessors=1).in_hours == "0.0"


@given(st.integers(0, 10**6), st.integers(0, 100))
def test_a_share_judged_twice_is_rounded_up_as_a_sample_is(n_documents, percent):
    plan = workload(n_documents, second_percent=percent, seconds_per_judgment=1, n_assessors=1)
    n_second = plan.n_judgments - n_documents
    assert 100 * n_second >= percent * n_documents > 100 * (n_second - 1)


@given(MANY_RUNS, st.integers(1, 9))
def test_a_unique_contribution_is_lost_when_its_run_stays_away(runs, depth):
    pool = pooled(runs, depth)
    size, counts = sum(map(len, pool.values())), contributed(pool.values(), runs)
    for tag in runs:
        n_contributed, n_unique, _ = counts[tag]
        others = {other: runs[other] for other in runs if other != tag}
        assert n_unique == size - sum(map(len, pooled(others, depth).values()))
        assert n_contributed == sum(len(runs[tag].get(topic, [])[:depth]) for topic in TOPICS)


@given(MANY_RUNS, st.integers(1, 9))
def test_two_runs_have_in_common_what_stands_in_both(runs, depth):
    counts = contributed(pooled(runs, depth).values(), runs)
    tops = {
        tag: {(topic, docno) for topic in TOPICS for docno in run.get(topic, [])[:depth]}
        for tag, run in runs.items()
    }
    assert {tag: each.shared for tag, each in counts.items()} == {
        tag: {other: len(tops[tag] & tops[other]) for other in runs if other != tag} for tag in runs
    }


# When judging would end

START = date(2026, 11, 23)


def test_hours_become_an_end_and_days_to_spare():
    found = schedule(12, 6, START, START + timedelta(days=20))
    assert found.ends - START == timedelta(days=14)
    assert (found.spare, found.late) == (6, 0)
    found = schedule(30, 6, START, START + timedelta(days=20))
    assert (found.spare, found.late) == (-15, 15)


def test_without_a_deadline_nothing_is_spared():
    found = schedule(1, 6, START, None)
    assert (found.spare, found.late, found.ends - START) == (None, 0, timedelta(days=2))


def test_a_pool_for_centuries_ends_with_the_calendar():
    assert schedule(10**9, 1, START, None).ends == date.max


@pytest.mark.parametrize("second", [0, 25, 100])
def test_the_most_that_can_be_judged_takes_no_more_than_the_hours(second):
    most = most_documents(10, second_percent=second, seconds_per_judgment=30)
    work = {"second_percent": second, "seconds_per_judgment": 30, "n_assessors": 1}
    assert workload(most, **work).hours <= 10 < workload(most + 2, **work).hours
