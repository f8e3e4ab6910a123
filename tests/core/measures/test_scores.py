"""From topics to one value, and its bounds against brute force."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.placements import place
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import parse
from cleverdon.measures.scoring.bounds import cases_of_judging, cases_of_ties, if_unjudged_were
from cleverdon.measures.scoring.scores import Scores
from cleverdon.measures.scoring.scoring import score
from tests.core.measures.made import graded, in_order, placed, scored

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


DOCNOS = tuple("abcdefg")
NAMES = ("AP", "nDCG@3", "P@2", "RR", "Bpref", "RBP(graded=False)", "ERR", "R@4", "Q")
MEASURES = [parse(name) for name in NAMES]
ONE_TOPIC = st.dictionaries(
    st.sampled_from(DOCNOS), st.sampled_from([1.0, 2.0, 3.0]), min_size=1, max_size=7
)
GRADES = st.dictionaries(st.sampled_from((*DOCNOS, "y", "z")), st.integers(-1, 2), min_size=1)


def orders(run: dict[str, float]):
    """Every ranking that the scores allow."""
    groups = [
        [d for d in run if run[d] == value] for value in sorted(set(run.values()), reverse=True)
    ]
    for arranged in product(*(permutations(group) for group in groups)):
        yield [docno for group in arranged for docno in group]


@given(GRADES, ONE_TOPIC)
def test_the_best_and_the_worst_order_of_ties_are_found(grades, run):
    universe = Universe.from_qrels({"1": grades})
    found = cases_of_ties(placed({"1": run}, universe), universe).bounds(MEASURES)
    # Every order is a topic of its own, so that all are scored at once.
    by_topic = {str(number): order for number, order in enumerate(orders(run))}
    topics = Universe.from_qrels(dict.fromkeys(by_topic, grades))
    every = score([place(in_order(by_topic), topics)], topics, MEASURES).values[0]
    assert np.allclose(found.lowest.values[0, 0], every.min(axis=0), rtol=1e-12)
    assert np.allclose(found.highest.values[0, 0], every.max(axis=0), rtol=1e-12)
    own = zip(found.lowest.values[0, 0], found.highest.values[0, 0], strict=True)
    assert found.aggregates("judged") == [*own]


@given(graded(), scored(), st.integers(0, 3), st.booleans())
def test_what_is_unjudged_scores_as_if_it_had_been_judged(qrels, run, grade, all_judged):
    universe = Universe.from_qrels(qrels)
    given_run = placed(run, universe)
    whole, own = if_unjudged_were(given_run, universe, grade, all_judged=all_judged)
    lowest = -9 if all_judged else 0
    judged = {
        topic: {**grades, **{d: grade for d in run.get(topic, ()) if grades.get(d, -10) < lowest}}
        for topic, grades in qrels.items()
    }
    really = Universe.from_qrels(judged)
    names = [parse(name) for name in (*NAMES, "Judged@5", "SetF", "NumRel")]
    expected = score([placed(run, really)], really, names).values
    assert np.array_equal(score([whole], own, names).values, expected)


def test_bounds_of_judging_are_the_qrels_without_and_with_all_that_is_unjudged():
    universe = Universe.from_qrels({"1": {"a": 1, "b": 0, "y": -1}})
    run = {"1": {"x": 3.0, "a": 2.0, "b": 1.0}}
    cases = cases_of_judging(placed(run, universe), universe, level=1)
    found = cases.bounds([parse("AP"), parse("P@2")])
    assert found.aggregates("judged") == [(1 / 2, 1.0), (1 / 2, 1.0)]


def test_a_measure_that_can_fall_when_a_document_rises_has_no_bounds():
    universe = Universe.from_qrels({"1": {"a": 1}})
    with pytest.raises(ValueError, match="Judged@5 has no bounds"):
        cases_of_ties(placed({"1": {"a": 1.0}}, universe), universe).bounds([parse("Judged@5")])
