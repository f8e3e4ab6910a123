"""Worked examples of textbooks, and measures of trec_eval by their definitions."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.average_precision import AP, YAAP
from cleverdon.measures.command.report import relstring
from cleverdon.measures.counts import UNJUDGED
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.interface import evaluate
from cleverdon.measures.interpolated import IAP, IPREC
from cleverdon.measures.names import parse
from cleverdon.measures.rbp import RBP, RBP_RESID
from cleverdon.measures.reference import PAGE
from cleverdon.measures.scoring.scoring import score
from tests.core.measures.made import NINE, TEN, graded, marked, one, orders, placed, values_of

RECALLS = " ".join(f"IPrec@{point / 10}" for point in range(11))
# Measures, the ranking by its grades from the top, grades of what it lacks, and the values printed.
EXAMPLES = re.findall(
    r"^\| `(.*)` \| `(\d+)` \| (?:`(\d+)`)? ?\| ([\d. ]+) \|",
    PAGE.read_text().replace("IPrec@0.0` … `IPrec@1.0", RECALLS),
    re.MULTILINE,
)


def test_all_worked_examples_of_the_documentation_are_read():
    assert len(EXAMPLES) == PAGE.read_text().partition("## Worked examples")[2].count("\n|") - 2


@pytest.mark.parametrize(("names", "ranking", "lacks", "printed"), EXAMPLES)
def test_worked_examples_come_out_as_they_are_printed(names, ranking, lacks, printed):
    documents = {f"d{rank}": int(g) for rank, g in enumerate(ranking)}
    others = {f"m{number}": int(g) for number, g in enumerate(lacks)}
    run = {docno: -float(rank) for rank, docno in enumerate(documents)}
    scored = evaluate({"1": documents | others}, {"1": run}, names.split())
    for value, text in zip(scored.values[0, 0], printed.split(), strict=True):
        half_a_digit = 0.5 / 10 ** len(text.partition(".")[2])
        assert value == pytest.approx(float(text), rel=0, abs=half_a_digit + 1e-9)


def test_mean_average_precision_of_the_textbook():
    """Croft, Metzler and Strohman 2010, section 8.4.2: MAP over the two queries."""
    queries = {"1": marked([1, 3, 6, 9, 10], 10), "2": marked([2, 5, 7], 10)}
    universe = Universe.from_qrels({topic: grades for topic, (grades, _) in queries.items()})
    run = placed({t: ranking.split() for t, (_, ranking) in queries.items()}, universe)
    scores = score([run], universe, [AP.measure()])
    assert round(scores.aggregate().values.item(), 2) == 0.53


@given(graded(), orders(), st.sampled_from([NINE, TEN]), st.integers(1, 20))
def test_yaap_and_unjudged_by_definition(qrels, rankings, rules, cutoff):
    measures = [YAAP.measure(), UNJUDGED.measure(cutoff=cutoff), AP.measure()]
    found = values_of(measures, qrels, rankings, rules=rules)
    for topic, (yaap, share, value) in found.items():
        n_relevant = sum(grade > 0 for grade in qrels[topic].values())
        top = rankings[topic][:cutoff]
        assert share == sum(qrels[topic].get(docno, -1) < 0 for docno in top) / cutoff
        summed = value * n_relevant
        odds = (1 + summed) / (1 + n_relevant - summed)
        assert yaap == pytest.approx(math.log(odds), abs=1e-12)


@pytest.mark.parametrize(("rules", "value"), [(NINE, 0), (TEN, math.log(1 / 2))])
def test_yaap_of_a_missing_topic(rules, value):
    universe = Universe.from_qrels({"1": {"a": 1}})
    run = placed({"2": ["a"]}, universe)
    assert score([run], universe, [YAAP.measure()], rules=rules).values.item() == value


def test_relstring_writes_a_character_for_each_of_the_first_documents():
    qrels = {"1": {"a": 3, "b": 10, "c": -1, "d": 0}, "2": {"a": 1}, "3": {"a": 9}}
    universe = Universe.from_qrels(qrels)
    evidence = Evidence(universe, placed({"1": list("xabcdyz"), "3": ["a"]}, universe))
    assert relstring(evidence) == ["-3>.0--", "", "9"]
    assert relstring(evidence, 4) == ["-3>.", "", "9"]
    assert relstring(evidence, 0) == ["", "", ""]


@given(graded(), orders(), st.integers(2, 101), st.sampled_from([NINE, TEN]))
def test_interpolated_average_precision_is_the_mean_over_its_points(qrels, run, points, rules):
    recalls = [point / (points - 1) for point in range(points)]
    measures = [IAP.measure(points=points), *(IPREC.measure(recall=recall) for recall in recalls)]
    for average, *precisions in values_of(measures, qrels, run, rules=rules).values():
        assert average == pytest.approx(sum(precisions) / points, rel=1e-12)


@pytest.mark.parametrize(
    ("recall", "nine", "ten"),
    [
        (0.25, 1 / 1, 1 / 1),  # 0.75 of 3 documents: 1
        (0.5, 2 / 4, 2 / 4),  # 1.5: 2
        (0.4, 2 / 4, 1 / 1),  # 1.2: 2 when 0.9 is added and truncated, else 1
        (0.0, 1 / 1, 1 / 1),
        (1.0, 0, 0),  # the third is not retrieved
    ],
)
def test_rule_sets_make_recall_points_whole_in_their_own_way(recall, nine, ten):
    case = *marked([1, 4], 6, n_missing=1), IPREC.measure(recall=recall)
    assert [one(*case, rules=rules) for rules in (NINE, TEN)] == [nine, ten]


@given(graded(), orders(), st.floats(0.05, 0.95))
def test_rbp_sums_p_to_the_rank_over_relevant_documents(qrels, rankings, p):
    measures = [RBP.measure(p=p, graded=is_graded) for is_graded in (False, True)]
    measures += [RBP_RESID.measure(p=p), RBP_RESID.measure(p=p, tail=False)]
    for topic, row in values_of(measures, qrels, rankings).items():
        grades = [qrels[topic].get(docno, -1) for docno in rankings[topic]]
        highest = max(1, *qrels[topic].values())
        weights = [(1 - p) * p**rank for rank in range(len(grades))]
        weighted = list(zip(weights, grades, strict=True))
        binary = sum(w for w, g in weighted if g > 0)
        scaled = sum(w * g / highest for w, g in weighted if g > 0)
        unjudged = p ** len(grades) + sum(w for w, g in weighted if g < 0)
        bounded = unjudged if min(grades) < 0 else 0
        assert row == pytest.approx([binary, scaled, unjudged, bounded], abs=1e-12)


def test_rbp_takes_gains_of_grades_and_scales_them_to_the_highest():
    grades = {"a": 1, "b": 2, "c": 0}
    higher, lower = (
        f"RBP(p=0.5,graded=True,gains={gains})" for gains in ("{1:4,2:1}", "{1:0.5,2:0.25}")
    )
    assert one(grades, "b a", higher) == 0.5 * (1 / 4 + 0.5)
    assert one(grades, "b a", lower) == 0.5 * (0.25 + 0.5 * 0.5)


def test_rbp_reads_the_level_unless_it_is_graded():
    grades = {"a": 1, "b": 2}
    assert one(grades, "a b", "RBP(p=0.5,graded=False)", level=2) == 0.5 * 0.5
    assert one(grades, "a b", "RBP(p=0.5,graded=True)", level=2) == 0.5 * (0.5 + 0.5)


@pytest.mark.parametrize("name", ["RBP", "RBP(p=0.5)", "RBP(rel=1)", "RBP@10"])
def test_rbp_is_not_measured_before_its_kind_is_named(name):
    kinds = "RBP needs graded: True, as in trec_eval's rbp, .* or False, as in ir_measures"
    with pytest.raises(ValueError, match=kinds):
        parse(name)


def test_the_graded_rbp_is_that_of_trec_eval():
    names = ["rbp", "RBP(p=0.9,graded=True)", "RBP(p=0.9,graded=False)"]
    assert [str(parse(name)) for name in names] == [names[1], *names[1:]]
    assert [parse(name).trec_eval for name in names] == ["rbp", "rbp", ""]
