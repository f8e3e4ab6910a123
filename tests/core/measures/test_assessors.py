"""Grades by assessor as one universe, and averaged measures, against trec_eval -R qrels_jg."""

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.assessors import AP_AVG, P_AVG, RPREC_AVG
from cleverdon.measures.inputs.judgments import by_assessor
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scoring import score
from cleverdon.measures.trec_eval import columns
from cleverdon.trec.qrels import GROUPED, JudgedPairs, read_qrels
from tests.core.measures.compiled import compiled
from tests.core.measures.made import placed, scored
from tests.strategies import DOCNOS

Line = tuple[str, str, str, int]
# In byte order 10 comes before 9.
ASSESSORS = ("10", "9", "a", "é")


def lines() -> st.SearchStrategy[list[Line]]:
    """Qrels by some assessors, each of whom judged a document of their topics."""
    grades = st.dictionaries(st.sampled_from(DOCNOS), st.integers(-2, 3), min_size=1)
    own = grades.filter(lambda documents: max(documents.values()) >= 0)
    keys = st.tuples(st.sampled_from(["1", "2", "10"]), st.sampled_from(ASSESSORS))
    return st.dictionaries(keys, own, min_size=1).map(
        lambda judged: [(*key, d, grade) for key, own in judged.items() for d, grade in own.items()]
    )


def universe_of(judged: list[Line]) -> Universe:
    text = "".join(f"{' '.join(map(str, line))}\n" for line in judged)
    return by_assessor(read_qrels(BytesIO(text.encode()), layout=GROUPED))


@given(lines(), scored(), st.integers(1, 3))
def test_averages_over_assessors_equal_trec_evals(judged, run, level):
    universe = universe_of(judged)
    names = ["map_avgjg", "P_avgjg", "Rprec_mult_avgjg"]
    measures = [column.measure for column in columns(names)]
    found = score([placed(run, universe)], universe, measures, level=level)
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


def test_a_topic_is_averaged_over_its_own_assessors():
    judged = [("1", "x", "a", 1), ("1", "y", "a", 0), ("1", "y", "b", 1), ("2", "x", "a", 1)]
    universe = universe_of(judged)
    measures = [P_AVG.measure(cutoff=2), RPREC_AVG.measure(), AP_AVG.measure()]
    run = placed({"1": ["a", "b"], "2": ["a"]}, universe)
    found = score([run], universe, measures).values[0].tolist()
    assert found == [[0.5, 0.5, 0.75], [0.5, 1, 1]]


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


def test_qrels_without_assessors_are_refused():
    universe = Universe.from_qrels({"1": {"a": 1}})
    with pytest.raises(ValueError, match="do not say which assessor"):
        score([placed({"1": ["a"]}, universe)], universe, [AP_AVG.measure()])
