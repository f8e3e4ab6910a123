"""From topics to one value."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.aggregate import TOPIC_SETS, aggregate
from evaluation.core.measures import parse
from evaluation.core.placements import Universe, place
from evaluation.core.scoring import score
from tests.core.evaluation.made import in_order

AP, NUM_RET = parse("AP"), parse("NumRet")


@given(st.lists(st.floats(0, 1), min_size=1, max_size=300))
def test_a_mean_adds_one_topic_after_the_other(values):
    total = 0.0
    for value in values:
        total += value
    means = aggregate(np.array([[value, value] for value in values]), [AP, AP])
    assert means.values.tolist() == [total / len(values)] * 2
    assert means.n_topics == len(values)


def test_counts_are_summed():
    assert aggregate(
        np.array([[0.5, 3.0], [1.0, 4.0]]), [AP, NUM_RET]
    ).values.tolist() == [0.75, 7.0]


@pytest.mark.parametrize(
    ("topics", "mean", "n_topics"), [("judged", 1 / 3, 3), ("retrieved", 1 / 2, 2)]
)
def test_a_missing_topic_counts_0_unless_only_retrieved_topics_are_asked_for(
    topics, mean, n_topics
):
    universe = Universe.from_qrels({"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}})
    run = in_order({"1": ["a"], "3": ["b"]})
    chosen = TOPIC_SETS[topics](universe, place(run, universe))
    assert aggregate(score(run, universe, [AP]), [AP], chosen) == ([mean], n_topics)


def test_without_a_topic_there_is_no_mean():
    nothing = aggregate(np.empty((0, 1)), [AP])
    assert np.isnan(nothing.values).all()
    assert nothing.n_topics == 0
