"""From topics to one value."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import parse
from cleverdon.measures.scoring.scores import Scores
from cleverdon.measures.scoring.scoring import score
from tests.core.measures.made import placed

AP, GMAP, NUM_RET = parse("AP"), parse("GMAP"), parse("NumRet")


def table(values: list[list[float]], *measures) -> Scores:
    """One run's values, a row a topic."""
    array = np.array([values]).reshape(1, -1, len(measures))
    n_topics = array.shape[1]
    names = tuple(str(i) for i in range(n_topics))
    everywhere = np.ones((1, n_topics), dtype=np.int32)
    return Scores(names, measures, array, everywhere, everywhere[0] > 0, {})


@given(st.lists(st.floats(0, 1), min_size=1, max_size=300))
def test_a_mean_adds_one_topic_after_the_other(values):
    total = 0.0
    for value in values:
        total += value
    means = table([[value, value] for value in values], AP, AP).aggregate()
    assert means.values.tolist() == [[total / len(values)] * 2]
    assert means.n_topics.tolist() == [len(values)]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_a_geometric_mean_takes_small_values_as_one_hundred_thousandth(values):
    logarithms = [math.log(max(value, 0.00001)) for value in values]
    expected = math.exp(sum(logarithms) / len(values))
    found = table([[value] for value in values], GMAP).aggregate().values.item()
    assert found == pytest.approx(expected, rel=1e-12)


def test_counts_are_summed():
    means = table([[0.5, 3.0], [1.0, 4.0]], AP, NUM_RET).aggregate()
    assert means.values.tolist() == [[0.75, 7.0]]


@pytest.mark.parametrize(
    ("topic_set", "mean", "n_topics"),
    [("judged", 1 / 4, 4), ("relevant", 1 / 3, 3), ("retrieved", 1 / 2, 2)],
)
def test_the_topics_counted_are_those_asked_for(topic_set, mean, n_topics):
    qrels = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}, "4": {"a": 0}}
    universe = Universe.from_qrels(qrels)
    run = {"1": {"a": 1.0}, "3": {"b": 1.0}}
    found = score([placed(run, universe)], universe, [AP]).aggregate(topic_set)
    assert (found.values.item(), found.n_topics.item()) == (mean, n_topics)


def test_without_a_topic_there_is_no_mean():
    nothing = table([], AP).aggregate()
    assert np.isnan(nothing.values).all()
    assert nothing.n_topics.tolist() == [0]


def test_each_run_has_its_own_topics():
    universe = Universe.from_qrels({"1": {"a": 1}, "2": {"a": 1}})
    runs = [{"1": {"a": 1.0}}, {"1": {"a": 1.0}, "2": {"b": 2.0, "a": 1.0}}]
    scores = score([placed(run, universe) for run in runs], universe, [AP])
    assert scores.aggregate("retrieved").values.tolist() == [[1.0], [0.75]]
    assert scores.aggregate("judged").values.tolist() == [[0.5], [0.75]]
