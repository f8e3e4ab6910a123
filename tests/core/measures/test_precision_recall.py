"""Precision, recall and F: of one topic, and over the documents of all topics together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.precision_recall import (
    MICRO_F,
    MICRO_P,
    MICRO_R,
    SET_F,
    SET_P,
    SET_R,
    F,
    P,
    R,
)
from cleverdon.measures.scoring.scoring import score
from tests.core.measures.made import graded, marked, one, orders, placed


@pytest.mark.parametrize(
    ("given", "weight"),
    [
        ({}, 1),
        ({"beta": 2}, 4),
        ({"beta": 0.5}, 0.25),
        ({"alpha": 0.2}, 4),
        ({"alpha": 1}, 0),
        ({"weight": 3}, 3),
    ],
)
def test_f_weighs_recall_by_beta_squared_or_its_like(given, weight):
    case = marked([1, 2, 5], 8, n_missing=3)
    for family, size, number in ((F, {"cutoff": 4}, 2), (SET_F, {}, 3)):
        precision, recall = number / (size.get("cutoff") or 8), number / 6
        expected = (weight + 1) * precision * recall / (weight * precision + recall)
        assert one(*case, family.measure(**size, **given)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "measure", [F.measure(cutoff=5, beta=2, alpha=0.5), SET_F.measure(beta=2, weight=1)]
)
def test_f_takes_one_weight(measure):
    with pytest.raises(ValueError, match="one of beta, alpha and weight"):
        one({"a": 1}, "a", measure)


def test_measures_of_the_set_equal_those_at_its_size():
    case = marked([1, 2, 5], 8, n_missing=3)
    assert one(*case, SET_F.measure(beta=2)) == one(*case, F.measure(cutoff=8, beta=2))
    assert one(*case, SET_P.measure()) == one(*case, P.measure(cutoff=8))
    assert one(*case, SET_R.measure()) == one(*case, R.measure(cutoff=8))


def over_topics(measures, qrels, rankings, level=1):
    universe = Universe.from_qrels(qrels)
    scores = score([placed(rankings, universe)], universe, measures, level=level)
    return scores.aggregate().values[0].tolist()


@given(graded(), orders(), st.integers(1, 3), st.none() | st.integers(1, 12))
def test_numerators_and_denominators_are_summed_over_topics(qrels, rankings, level, cutoff):
    found = retrieved = known = 0
    for topic, grades in qrels.items():
        relevant = {docno for docno, grade in grades.items() if grade >= level}
        top = rankings.get(topic, [])[:cutoff]
        found += len(relevant.intersection(top))
        retrieved += len(top)
        known += len(relevant)
    measures = [family.measure(cutoff=cutoff) for family in (MICRO_P, MICRO_R, MICRO_F)]
    shares = found / max(1, retrieved), found / max(1, known), 2 * found / max(1, known + retrieved)
    assert over_topics(measures, qrels, rankings, level) == pytest.approx(shares, abs=1e-12)


@given(graded(), orders(), st.sampled_from([0.0, 0.5, 2.0]))
def test_f_is_the_weighted_harmonic_mean_of_precision_and_recall(qrels, rankings, beta):
    measures = [MICRO_P.measure(), MICRO_R.measure(), MICRO_F.measure(beta=beta)]
    precision, recall, f = over_topics(measures, qrels, rankings)
    both = (1 + beta**2) * precision * recall
    assert f == pytest.approx(both / (beta**2 * precision + recall) if both else 0.0, abs=1e-12)


def test_a_topic_has_its_own_values():
    grades = {"a": 1, "b": 1, "c": 1}
    assert one(grades, "a x", MICRO_P.measure(cutoff=5)) == 1 / 2
    assert one(grades, "a x", MICRO_R.measure()) == 1 / 3
    assert one(grades, "a x", MICRO_F.measure()) == 2 / 5
