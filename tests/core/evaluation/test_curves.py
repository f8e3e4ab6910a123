"""Curves of precision against recall."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.curves import (
    interpolated_curve,
    precision_recall_curve,
    recall_points,
)
from evaluation.core.evidence import Evidence
from evaluation.core.measures.interpolated import IPREC
from evaluation.core.placements import Placements, place
from evaluation.core.scoring import score
from evaluation.core.universe import Universe
from tests.core.evaluation.made import graded, in_order, placed, scored
from tests.core.evaluation.orders import orders
from trec.ranking import RULES


def evidence_of(qrels, *rankings, **options) -> Evidence:
    universe = Universe.from_qrels(qrels)
    runs = [place(in_order(run), universe) for run in rankings]
    return Evidence(universe, Placements.together(runs), **options)


@given(graded(), orders(), st.integers(1, 3))
def test_every_relevant_document_retrieved_is_a_point(qrels, rankings, level):
    evidence = evidence_of(qrels, rankings, level=level)
    expected = []
    for topic in evidence.universe.topics:
        relevant = {d for d, grade in qrels[topic].items() if grade >= level}
        ranking = rankings.get(topic, [])
        for rank in range(1, len(ranking) + 1):
            found = relevant.intersection(ranking[:rank])
            if ranking[rank - 1] in relevant:
                point = len(found) / len(relevant), len(found) / rank
                expected.append((topic, *point))
    rankings_of, recalls, precisions = precision_recall_curve(evidence)
    topics = [evidence.universe.topics[ranking] for ranking in rankings_of]
    assert list(zip(topics, recalls, precisions, strict=True)) == expected


@given(graded(), scored(), st.sampled_from(sorted(RULES)))
def test_a_curve_has_the_means_of_interpolated_precision_in_every_bit(
    qrels, run, rules
):
    universe = Universe.from_qrels(qrels)
    runs = [placed(run, universe)] * 2
    evidence = Evidence(universe, Placements.together(runs), rules=rules)
    curve = interpolated_curve(evidence, 11)
    measures = [IPREC.measure(recall=i / 10) for i in range(11)]
    means = score(runs, universe, measures, rules=rules).aggregate()
    assert np.array_equal(curve.precisions, means.values)
    assert curve.n_topics == universe.n_topics


def test_of_some_topics_only_these_are_averaged():
    evidence = evidence_of(
        {"1": {"a": 1}, "2": {"b": 1}}, {"1": ["a"], "2": ["x", "b"]}
    )
    curve = interpolated_curve(evidence, 2, np.array([False, True]))
    assert curve.precisions.tolist() == [[0.5, 0.5]]
    assert curve.n_topics == 1


def test_runs_have_a_curve_each():
    evidence = evidence_of({"1": {"a": 1}}, {"1": ["a"]}, {"1": ["x", "a"]})
    assert interpolated_curve(evidence, 101).precisions[:, 50].tolist() == [1, 0.5]


def test_without_topics_there_is_no_mean():
    evidence = evidence_of({"1": {"a": 1}}, {"1": ["a"]})
    curve = interpolated_curve(evidence, 3, np.array([False]))
    assert curve.n_topics == 0
    assert all(map(math.isnan, curve.precisions.ravel()))


def test_recall_points_are_the_numbers_one_writes():
    assert recall_points(11).tolist() == [float(f"0.{i}") for i in range(10)] + [1.0]
    assert len(recall_points(101)) == 101


def test_a_curve_of_one_point_is_refused():
    with pytest.raises(ValueError, match="two points or more"):
        recall_points(1)
