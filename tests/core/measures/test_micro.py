"""Precision, recall and F over the documents of all topics together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.inputs.placements import place
from measures.inputs.universe import Universe
from measures.precision_recall import MICRO_F, MICRO_P, MICRO_R
from measures.scoring.scoring import score
from tests.core.measures.made import graded, in_order
from tests.core.measures.orders import orders, values


def pooled(measure, qrels, rankings, level=1):
    universe = Universe.from_qrels(qrels)
    scores = score([place(in_order(rankings), universe)], universe, [measure], level=level)
    return scores.aggregate().values.item()


def counts(qrels, rankings, cutoff, level):
    """Relevant retrieved, retrieved, relevant: summed over all topics of the qrels."""
    found = retrieved = known = 0
    for topic, grades in qrels.items():
        relevant = {docno for docno, grade in grades.items() if grade >= level}
        top = rankings.get(topic, [])[:cutoff]
        found += len(relevant.intersection(top))
        retrieved += len(top)
        known += len(relevant)
    return found, retrieved, known


@given(graded(), orders(), st.integers(1, 3), st.none() | st.integers(1, 12))
def test_numerators_and_denominators_are_summed_over_topics(qrels, rankings, level, cutoff):
    found, retrieved, known = counts(qrels, rankings, cutoff, level)
    by_family = [
        (MICRO_P, found / max(1, retrieved)),
        (MICRO_R, found / max(1, known)),
        (MICRO_F, 2 * found / max(1, known + retrieved)),
    ]
    for family, value in by_family:
        ours = pooled(family.measure(cutoff=cutoff), qrels, rankings, level)
        assert ours == pytest.approx(value, abs=1e-12)


@given(graded(), orders(), st.sampled_from([0.0, 0.5, 2.0]))
def test_f_is_the_weighted_harmonic_mean_of_precision_and_recall(qrels, rankings, beta):
    precision, recall, f = (
        pooled(measure, qrels, rankings)
        for measure in (MICRO_P.measure(), MICRO_R.measure(), MICRO_F.measure(beta=beta))
    )
    both = (1 + beta**2) * precision * recall
    assert f == pytest.approx(both / (beta**2 * precision + recall) if both else 0.0, abs=1e-12)


def test_a_topic_has_its_own_values():
    grades, ranking = {"1": {"a": 1, "b": 1, "c": 1}}, {"1": ["a", "x"]}
    assert values(MICRO_P.measure(cutoff=5), grades, ranking) == {"1": 1 / 2}
    assert values(MICRO_R.measure(), grades, ranking) == {"1": 1 / 3}
    assert values(MICRO_F.measure(), grades, ranking) == {"1": 2 / 5}


def test_a_topic_with_many_documents_weighs_more():
    qrels = {"1": {"a": 1}, "2": {"b": 1, "c": 1, "d": 1}}
    rankings = {"1": ["a"], "2": ["x", "y", "b"]}
    assert pooled(MICRO_P.measure(), qrels, rankings) == pytest.approx(2 / 4)
    assert pooled(MICRO_R.measure(), qrels, rankings) == pytest.approx(2 / 4)
