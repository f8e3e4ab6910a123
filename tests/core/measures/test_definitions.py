"""Measures of trec_eval by their definitions and textbook examples."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.average_precision import YAAP
from measures.bpref import BPREF
from measures.command.report import relstring
from measures.counts import UNJUDGED
from measures.examples import EXAMPLES
from measures.inputs.evidence import Evidence
from measures.inputs.placements import place
from measures.inputs.universe import Universe
from measures.interface import evaluate
from measures.nonrelevant import UTILITY
from measures.precision_recall import RPREC, SET_F, SET_P, SET_R, F, P, R
from measures.scoring.scoring import score
from measures.trec_eval import columns
from tests.core.measures.made import graded, in_order, placed, ranked, scored
from tests.core.measures.rankings import NINE, TEN, marked, one, under


@pytest.mark.parametrize(
    "example", EXAMPLES, ids=lambda example: f"{example.measures.split()[0]}-{example.ranking}"
)
def test_worked_examples_come_out_as_they_are_printed(example):
    documents = {f"d{rank}": int(g) for rank, g in enumerate(example.ranking)}
    others = {f"m{number}": int(g) for number, g in enumerate(example.lacks)}
    run = {docno: -float(rank) for rank, docno in enumerate(documents)}
    scored = evaluate({"1": documents | others}, {"1": run}, example.measures.split())
    for value, printed in zip(scored.values[0, 0], example.values.split(), strict=True):
        half_a_digit = 0.5 / 10 ** len(printed.partition(".")[2])
        assert value == pytest.approx(float(printed), rel=0, abs=half_a_digit + 1e-9)


def test_mean_average_precision_of_the_textbook():
    """Croft, Metzler and Strohman 2010, section 8.4.2: MAP over the two queries."""
    queries = {"1": marked([1, 3, 6, 9, 10], 10), "2": marked([2, 5, 7], 10)}
    universe = Universe.from_qrels({topic: grades for topic, (grades, _) in queries.items()})
    placements = place(
        in_order({t: ranking.split() for t, (_, ranking) in queries.items()}), universe
    )
    measures = [column.measure for column in columns(["map"])]
    assert round(score([placements], universe, measures).aggregate().values.item(), 2) == 0.53


@given(graded(lowest=0), scored())
def test_bpref_is_the_share_of_preferences_fulfilled(qrels, run):
    """Croft, Metzler and Strohman 2010, section 8.4.3: P / (P + Q), over relevant ones and the first R others."""
    universe = Universe.from_qrels(qrels)
    found = score([placed(run, universe)], universe, [BPREF.measure()]).values[0, :, 0]
    whole = ranked(run)
    for value, topic in zip(found, universe.topics, strict=True):
        grades = qrels[topic]
        n_relevant = sum(grade > 0 for grade in grades.values())
        if not n_relevant or len(grades) < 2 * n_relevant:
            continue
        order = whole.docnos_of(whole.topics.index(topic)).tolist() if topic in whole.topics else []
        fulfilled = above = 0
        for docno in map(bytes.decode, order):
            if grades.get(docno, -1) > 0:
                fulfilled += n_relevant - min(above, n_relevant)
            above += grades.get(docno, -1) == 0
        assert value == pytest.approx(fulfilled / n_relevant**2, rel=1e-12)


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
        assert one(*case, family, **size, **given) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("family", [F, SET_F], ids=["F", "SetF"])
def test_f_takes_one_weight(family):
    size = {"cutoff": 5} if family is F else {}
    with pytest.raises(ValueError, match="one of beta, alpha and weight"):
        one({"a": 1}, "a", family, **size, beta=2, alpha=0.5)


def test_f_of_the_set_equals_f_at_its_size():
    case = marked([1, 2, 5], 8, n_missing=3)
    assert one(*case, SET_F, beta=2) == one(*case, F, cutoff=8, beta=2)
    assert one(*case, SET_P) == one(*case, P, cutoff=8)
    assert one(*case, SET_R) == one(*case, R, cutoff=8)


@given(graded(), scored(), st.sampled_from([NINE, TEN]), st.integers(1, 20))
def test_yaap_and_unjudged_by_definition(qrels, run, rules, cutoff):
    universe, whole = Universe.from_qrels(qrels), under(run, rules)
    ap = columns(["map"])[0].measure
    measures = [YAAP.measure(), UNJUDGED.measure(cutoff=cutoff), ap]
    found = score([place(whole, universe, rules)], universe, measures, rules=rules).values[0]
    for (yaap, share, value), topic in zip(found.tolist(), universe.topics, strict=True):
        n_relevant = sum(grade > 0 for grade in qrels[topic].values())
        is_there = topic in whole.topics
        order = whole.top(whole.topics.index(topic), cutoff).tolist() if is_there else []
        assert share == sum(qrels[topic].get(d.decode(), -1) < 0 for d in order) / cutoff
        summed = value * n_relevant
        odds = (1 + summed) / (1 + n_relevant - summed)
        expected = math.log(odds) if is_there or rules == TEN else 0
        assert yaap == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("coefficients", "rules", "there", "missing"),
    [
        (None, NINE, 1 - 2, 0),
        (None, TEN, 1 - 2, 0),
        ("2,-1,-1,0", NINE, 2 - 2 - 2, 0),
        ("2,-1,-1,0", TEN, 2 - 2 - 2, -1 - 3),
        ("0,0,0,0.5", NINE, 0.5 * (100 - 3 - 3 + 1), 0),
    ],
)
def test_utility_weighs_the_four_cells(coefficients, rules, there, missing):
    grades = {"a": 1, "b": 1, "c": 1, "d": 0}
    universe = Universe.from_qrels({"1": grades, "2": grades})
    placements = place(in_order({"1": ["a", "x", "d"]}), universe)
    measure = UTILITY.measure(coefficients=coefficients)
    found = score([placements], universe, [measure], rules=rules, n_documents=100)
    assert found.values[0, :, 0].tolist() == [there, missing]


def test_relstring_writes_a_character_for_each_of_the_first_documents():
    universe = Universe.from_qrels(
        {"1": {"a": 3, "b": 10, "c": -1, "d": 0}, "2": {"a": 1}, "3": {"a": 9}}
    )
    run = in_order({"1": list("xabcdyz"), "3": ["a"]})
    evidence = Evidence(universe, place(run, universe))
    assert relstring(evidence) == ["-3>.0--", "", "9"]
    assert relstring(evidence, 4) == ["-3>.", "", "9"]
    assert relstring(evidence, 0) == ["", "", ""]


def test_multiples_of_r_are_truncated_after_adding_nine_tenths():
    case = marked([1, 4], 6, n_missing=1)
    assert one(*case, RPREC, mult=0.2) == 1  # 0.6 + 0.9: rank 1
    assert one(*case, RPREC, mult=1.5) == 2 / 5  # 4.5 + 0.9: rank 5
    assert one(*case, RPREC, mult=0.03) == 0  # rank 0
    assert one(*case, RPREC, mult=1) == one(*case, RPREC)
