"""Sizes and contributions of a pool."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.core.statistics import counts_by_run, judging_hours, pool_sizes
from pooling.core.strategies import depth_pool
from tests.core.pooling.made import MANY_RUNS, TOPICS, Rankings, in_order


def pooled(runs: dict[str, Rankings], depth: int):
    return depth_pool(
        {tag: in_order(rankings) for tag, rankings in runs.items()}, TOPICS, depth
    )


@given(MANY_RUNS, st.integers(1, 9))
def test_the_size_at_each_depth_is_that_of_the_pool_formed_at_it(runs, max_depth):
    sizes = pool_sizes(pooled(runs, max_depth), max_depth)
    assert sizes.max_depth == max_depth
    for depth in range(1, max_depth + 1):
        pool = pooled(runs, depth)
        assert sizes.at(depth) == sum(map(len, pool.values()))
        assert sizes.by_topic[:, depth - 1].tolist() == [
            len(pool[topic]) for topic in sizes.topics
        ]


@pytest.mark.parametrize("depth", [0, 3])
def test_a_size_beyond_the_depths_counted_is_refused(depth):
    with pytest.raises(ValueError, match=f"depths 1 to 2, not {depth}"):
        pool_sizes(pooled({"a": {"1": ["x"]}}, 2), 2).at(depth)


def test_a_pool_deeper_than_said_is_refused():
    with pytest.raises(ValueError, match="topic 1 is deeper than 1"):
        pool_sizes(pooled({"a": {"1": ["x", "y"]}}, 2), 1)


def test_hours_are_documents_times_seconds():
    assert judging_hours(720, 30) == 6.0


@given(MANY_RUNS, st.integers(1, 9))
def test_a_unique_contribution_is_lost_when_its_run_stays_away(runs, depth):
    pool = pooled(runs, depth)
    size, counts = sum(map(len, pool.values())), counts_by_run(pool)
    for tag in runs:
        n_contributed, n_unique = counts.get(tag, (0, 0))
        others = {other: runs[other] for other in runs if other != tag}
        assert n_unique == size - sum(map(len, pooled(others, depth).values()))
        assert n_contributed == sum(
            len(runs[tag].get(topic, [])[:depth]) for topic in TOPICS
        )
