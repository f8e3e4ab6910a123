"""Grades by assessor: as one universe, and measures averaged over them, against trec_eval -R qrels_jg."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from measures.assessors import AP_AVG, P_AVG, RPREC_AVG
from measures.average_precision import AP
from measures.inputs.judgments import GradesByAssessor, by_assessor
from measures.inputs.placements import place
from measures.inputs.universe import Universe
from measures.precision_recall import RPREC, P
from measures.scoring.scoring import score
from measures.trec_eval import columns
from tests.core.measures.compiled import compiled
from tests.core.measures.made import graded, in_order, placed, ranked, scored
from tests.strategies import DOCNOS, Qrels
from trec.qrels import GROUPED, JudgedPairs, read_qrels

Line = tuple[str, str, str, int]
# In byte order 10 stands before 9.
ASSESSORS = ("10", "9", "a", "é")


def lines(highest: int = 3) -> st.SearchStrategy[list[Line]]:
    """Qrels by some assessors, each of whom judged something of a topic they judged at all."""
    grades = st.dictionaries(st.sampled_from(DOCNOS), st.integers(-2, highest), min_size=1).filter(
        lambda documents: max(documents.values()) >= 0
    )
    judged = st.dictionaries(
        st.tuples(st.sampled_from(["1", "2", "10"]), st.sampled_from(ASSESSORS)), grades, min_size=1
    )
    return judged.map(
        lambda found: [
            (topic, assessor, docno, grade)
            for (topic, assessor), documents in found.items()
            for docno, grade in documents.items()
        ]
    )


def universe_of(judged: list[Line]) -> Universe:
    text = "".join(f"{' '.join(map(str, line))}\n" for line in judged)
    return by_assessor(read_qrels(BytesIO(text.encode()), layout=GROUPED))


@given(lines(), scored(), st.integers(1, 3))
def test_averages_over_assessors_equal_trec_evals(judged, run, level):
    universe = universe_of(judged)
    names = ["map_avgjg", "P_avgjg", "Rprec_mult_avgjg"]
    measures = [column.measure for column in columns(names)]
    found = score([place(ranked(run), universe)], universe, measures, level=level)
    expected = compiled("qrels_jg", judged, run, names, level=level)
    values = dict(zip(universe.topics, found.values[0].tolist(), strict=True))
    assert {topic: values[topic] for topic in expected} == expected


@given(lines(), st.randoms())
def test_every_judgment_is_where_it_belongs(judged, chance):
    universe = universe_of(chance.sample(judged, len(judged)))
    entries = {
        (universe.topics[topic], docno.decode()): entry
        for entry, (topic, docno) in enumerate(
            zip(universe.topic_of.tolist(), universe.docnos.tolist(), strict=True)
        )
    }
    assert set(entries) == {(topic, docno) for topic, _, docno, _ in judged}
    expected = np.full(universe.detail.grades.shape, -1)
    for topic, assessor, docno, grade in judged:
        own = sorted({a for t, a, _, _ in judged if t == topic}, key=str.encode)
        given = grade if grade >= 0 else -2
        expected[own.index(assessor), entries[topic, docno]] = given
    assert universe.detail.grades.tolist() == expected.tolist()
    assert universe.grades.tolist() == expected.max(axis=0).tolist()


def test_assessors_are_those_of_a_topic():
    universe = universe_of([("1", "z", "a", 1), ("1", "y", "a", 2), ("2", "x", "a", 3)])
    assert universe.detail.grades.tolist() == [[2, 3], [1, -1]]


def test_one_assessor_gives_the_universe_of_the_qrels():
    judged = [("1", "0", "b", 1), ("1", "0", "a", 0), ("2", "0", "a", 2)]
    plain = Universe.from_qrels({"1": {"a": 0, "b": 1}, "2": {"a": 2}})
    universe = universe_of(judged)
    assert universe.topics == plain.topics
    assert universe.offsets.tolist() == plain.offsets.tolist()
    assert universe.docnos.tolist() == plain.docnos.tolist()
    assert universe.grades.tolist() == plain.grades.tolist()


def test_precision_is_averaged_over_the_assessors_of_the_topic():
    universe = universe_of([("1", "x", "a", 1), ("1", "y", "a", 0), ("1", "y", "b", 1)])
    run = place(in_order({"1": ["a", "b"]}), universe)
    measures = [P_AVG.measure(cutoff=2), RPREC_AVG.measure()]
    assert score([run], universe, measures).values.ravel().tolist() == [0.5, 0.5]


def test_grades_take_the_bytes_they_need():
    assert universe_of([("1", "x", "a", 1)]).detail.grades.dtype == np.int8
    assert universe_of([("1", "x", "a", 300)]).detail.grades.dtype == np.int16


def test_no_judgments_make_an_empty_universe():
    universe = by_assessor(JudgedPairs.from_rows(()))
    assert universe.n_topics == 0
    assert universe.detail.grades.shape == (0, 0)


def test_qrels_read_without_their_second_column_are_refused():
    with pytest.raises(ValueError, match="without their second column"):
        by_assessor(JudgedPairs.from_rows([("1", "a", 1)]))


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


def together(views: list[Qrels]) -> Universe:
    """All pairs that anybody judged, with each assessor's own grades."""
    pairs = {
        (topic, docno) for qrels in views for topic, grades in qrels.items() for docno in grades
    }
    universe = Universe.from_rows((topic, docno, 0) for topic, docno in pairs)
    owners = [universe.topics[topic] for topic in universe.topic_of]
    docnos = [docno.decode() for docno in universe.docnos.tolist()]
    grades = [
        [qrels.get(topic, {}).get(docno, -1) for topic, docno in zip(owners, docnos, strict=True)]
        for qrels in views
    ]
    return replace(universe, detail=GradesByAssessor(np.array(grades, dtype=np.int8)))


@given(st.lists(graded(lowest=0), min_size=1, max_size=3), scored(), st.integers(1, 3))
def test_the_value_is_the_mean_of_those_by_each_assessor_alone(views, run, level):
    universe = together(views)
    found = score([placed(run, universe)], universe, AVERAGED, level=level).values[0]
    requested = {"map", "P.1,5", "Rprec_mult.0.6,1"}
    alone = [
        pytrec_eval.RelevanceEvaluator(qrels, requested, relevance_level=level).evaluate(run)
        for qrels in views
    ]
    for row, topic in zip(found.tolist(), universe.topics, strict=True):
        own = [values[topic] for values in alone if topic in values]
        n_assessors = sum(topic in qrels for qrels in views)
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
    assert score([run], universe, [AP_AVG.measure()]).values.ravel().tolist() == [0.5, 1]


def test_qrels_without_assessors_are_refused():
    universe = Universe.from_qrels({"1": {"a": 1}})
    run = place(in_order({"1": ["a"]}), universe)
    with pytest.raises(ValueError, match="do not say which assessor"):
        score([run], universe, [AP_AVG.measure()])
