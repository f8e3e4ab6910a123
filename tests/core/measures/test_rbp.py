"""Rank-biased precision and its residual."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.inputs.placements import place
from measures.inputs.universe import Universe
from measures.names import parse
from measures.rbp import RBP, RBP_RESID
from measures.scoring.scoring import score
from tests.core.measures.made import graded, ranked, scored
from tests.core.measures.rankings import one


@given(graded(), scored(), st.floats(0.05, 0.95))
def test_rbp_sums_p_to_the_rank_over_relevant_documents(qrels, run, p):
    universe, whole = Universe.from_qrels(qrels), ranked(run)
    measures = [
        RBP.measure(p=p, graded=False),
        RBP.measure(p=p, graded=True),
        RBP_RESID.measure(p=p),
        RBP_RESID.measure(p=p, tail=False),
    ]
    found = score([place(whole, universe)], universe, measures).values[0]
    for values, topic in zip(found.tolist(), universe.topics, strict=True):
        order = whole.docnos_of(whole.topics.index(topic)).tolist() if topic in whole.topics else []
        grades = [qrels[topic].get(docno.decode(), -1) for docno in order]
        highest = max(1, *qrels[topic].values())
        weights = [(1 - p) * p**rank for rank in range(len(grades))]
        binary = sum(w for w, g in zip(weights, grades, strict=True) if g > 0)
        scaled = sum(w * g / highest for w, g in zip(weights, grades, strict=True) if g > 0)
        unjudged = p ** len(grades) + sum(w for w, g in zip(weights, grades, strict=True) if g < 0)
        bounded = unjudged if min(grades, default=0) < 0 else 0
        assert values == pytest.approx([binary, scaled, unjudged, bounded], abs=1e-12)


def test_rbp_takes_gains_of_grades_and_scales_them_to_the_highest():
    grades = {"a": 1, "b": 2, "c": 0}
    gains = ((1, 4.0), (2, 1.0))
    assert one(grades, "b a", RBP, p=0.5, graded=True, gains=gains) == 0.5 * (1 / 4 + 0.5)
    halves = ((1, 0.5), (2, 0.25))
    assert one(grades, "b a", RBP, p=0.5, graded=True, gains=halves) == 0.5 * (0.25 + 0.5 * 0.5)


def test_rbp_reads_the_level_unless_it_is_graded():
    grades = {"a": 1, "b": 2}
    assert one(grades, "a b", RBP, p=0.5, graded=False, level=2) == 0.5 * 0.5
    assert one(grades, "a b", RBP, p=0.5, graded=True, level=2) == 0.5 * (0.5 + 0.5)


@pytest.mark.parametrize("name", ["RBP", "RBP(p=0.5)", "RBP(rel=1)", "RBP@10"])
def test_rbp_is_not_measured_before_it_is_said_which_of_the_two(name):
    with pytest.raises(
        ValueError,
        match=r"RBP needs graded: True, as in trec_eval's rbp, .* or False, as in ir_measures",
    ):
        parse(name)


def test_the_two_have_names_of_their_own_and_trec_eval_s_is_the_graded():
    names = ["rbp", "RBP(p=0.9,graded=True)", "RBP(p=0.9,graded=False)"]
    assert [str(parse(name)) for name in names] == [names[1], *names[1:]]
    assert [parse(name).trec_eval for name in names] == ["rbp", "rbp", ""]
