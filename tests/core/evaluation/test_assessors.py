"""Measures averaged over assessors."""

from dataclasses import replace

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.assessors import GradesByAssessor
from evaluation.core.measures.assessors import AP_AVG, P_AVG, RPREC_AVG
from evaluation.core.measures.average_precision import AP
from evaluation.core.measures.precision import RPREC, P
from evaluation.core.placements import place
from evaluation.core.scoring import score
from evaluation.core.universe import Universe
from tests.core.evaluation.made import Qrels, graded, in_order, placed, scored

AVERAGED = [
    AP_AVG.measure(),
    P_AVG.measure(cutoff=1),
    P_AVG.measure(cutoff=5),
    RPREC_AVG.measure(mult=0.6),
    RPREC_AVG.measure(),
]
ALONE = [
    AP.measure(),
    P.measure(cutoff=1),
    P.measure(cutoff=5),
    RPREC.measure(mult=0.6),
    RPREC.measure(),
]
NAMES = ["map", "P_1", "P_5", "Rprec_mult_0.60", "Rprec_mult_1.00"]


def together(by_assessor: list[Qrels]) -> Universe:
    """All pairs that anybody judged, with each assessor's own grades."""
    pairs = {
        (topic, docno)
        for qrels in by_assessor
        for topic, grades in qrels.items()
        for docno in grades
    }
    universe = Universe.from_rows((topic, docno, 0) for topic, docno in pairs)
    owners = [universe.topics[topic] for topic in universe.topic_of]
    docnos = [docno.decode() for docno in universe.docnos.tolist()]
    grades = [
        [
            qrels.get(topic, {}).get(docno, -1)
            for topic, docno in zip(owners, docnos, strict=True)
        ]
        for qrels in by_assessor
    ]
    return replace(universe, detail=GradesByAssessor(np.array(grades, dtype=np.int8)))


@given(st.lists(graded(lowest=0), min_size=1, max_size=3), scored(), st.integers(1, 3))
def test_the_value_is_the_mean_of_those_by_each_assessor_alone(by_assessor, run, level):
    universe = together(by_assessor)
    found = score([placed(run, universe)], universe, AVERAGED, level=level).values[0]
    requested = {"map", "P.1,5", "Rprec_mult.0.6,1"}
    alone = [
        pytrec_eval.RelevanceEvaluator(
            qrels, requested, relevance_level=level
        ).evaluate(run)
        for qrels in by_assessor
    ]
    for row, topic in zip(found.tolist(), universe.topics, strict=True):
        own = [values[topic] for values in alone if topic in values]
        n_assessors = sum(topic in qrels for qrels in by_assessor)
        expected = [sum(values[name] for values in own) / n_assessors for name in NAMES]
        assert row == expected


@given(graded(lowest=0), scored())
def test_one_assessor_gives_the_plain_measures(qrels, run):
    universe, plain = together([qrels]), Universe.from_qrels(qrels)
    found = score([placed(run, universe)], universe, AVERAGED).values
    assert np.array_equal(found, score([placed(run, plain)], plain, ALONE).values)


def test_who_judged_nothing_of_a_topic_does_not_count_for_it():
    universe = together([{"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 0}}])
    run = place(in_order({"1": ["a"], "2": ["a"]}), universe)
    assert score([run], universe, [AP_AVG.measure()]).values.ravel().tolist() == [
        0.5,
        1,
    ]


def test_qrels_without_assessors_are_refused():
    universe = Universe.from_qrels({"1": {"a": 1}})
    run = place(in_order({"1": ["a"]}), universe)
    with pytest.raises(ValueError, match="do not say which assessor"):
        score([run], universe, [AP_AVG.measure()])
