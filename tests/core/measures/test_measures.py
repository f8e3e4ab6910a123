"""What holds for every measure that reads grades, and a few values by definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.family import Input
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import parse
from cleverdon.measures.scoring.scoring import score
from cleverdon.measures.table import FAMILIES
from tests.core.measures.made import graded, member, one, orders, placed, scored, values_of

GRADED = [family for family in FAMILIES if family.reads is Input.GRADES]
CUT = [family for family in GRADED if family.cutoff != "never"]
MEASURES = [*map(member, GRADED), *(member(family, cutoff=5) for family in CUT)]
UP_TO_1 = [measure for measure in MEASURES if measure.family.unit == "0 to 1"]
# They lose, or may, when a better document moves up.
FALLING = {"Accuracy", "BPM", "ESL", "Fallout", "G", "INST", "Judged", "NumNonrelRet", "RBPresid"}
FALLING |= {"SetFallout", "Unjudged", "Utility", "infAP"}
MONOTONE = [measure for measure in MEASURES if measure.family.name not in FALLING]


@given(graded(), st.lists(scored(), min_size=2, max_size=3))
def test_runs_scored_together_have_the_values_of_each_alone(qrels, runs):
    universe = Universe.from_qrels(qrels)
    placements = [placed(run, universe) for run in runs]
    together = score(placements, universe, MEASURES)
    for row, run in enumerate(placements):
        alone = score([run], universe, MEASURES)
        assert np.array_equal(together.values[row], alone.values[0])
        assert np.array_equal(together.aggregate().values[row], alone.aggregate().values[0])


@given(graded(), scored(), st.integers(1, 3))
def test_values_stay_between_0_and_1_unless_stated_otherwise(qrels, run, level):
    for row in values_of(UP_TO_1, qrels, run, level=level, n_documents=100).values():
        wrong = {str(m): v for m, v in zip(UP_TO_1, row, strict=True) if not 0 <= v <= 1 + 1e-12}
        assert wrong == {}


@given(st.lists(st.integers(0, 4), min_size=2, max_size=9), st.integers(0, 7))
def test_a_better_document_moved_up_never_lowers_a_monotone_measure(grades, place_of):
    upper = min(place_of, len(grades) - 2)
    ranking = [f"d{rank}" for rank in range(len(grades))]
    qrels = {"1": dict(zip(ranking, grades, strict=True))}
    before = values_of(MONOTONE, qrels, {"1": ranking})["1"]
    if grades[upper] < grades[upper + 1]:
        ranking[upper : upper + 2] = ranking[upper + 1], ranking[upper]
    after = values_of(MONOTONE, qrels, {"1": ranking})["1"]
    change = {str(m): (b, a) for m, b, a in zip(MONOTONE, before, after, strict=True)}
    assert [name for name, (b, a) in change.items() if a < b - 1e-12] == []


@given(graded(), orders(), st.integers(1, 20))
def test_a_cutoff_reads_only_the_ranks_above_it(qrels, rankings, cutoff):
    measures = [member(family, cutoff=cutoff) for family in CUT]
    short = {topic: ranking[:cutoff] for topic, ranking in rankings.items()}
    assert values_of(measures, qrels, rankings) == values_of(measures, qrels, short)


@given(graded(lowest=1))
def test_the_best_order_scores_1(qrels):
    names = "AP nDCG nDCG@5 RR Rprec Bpref R@1000 Judged@5 P@1 nERR nERR@5 Q Compat"
    best = {topic: sorted(grades, key=grades.get, reverse=True) for topic, grades in qrels.items()}
    found = values_of([parse(name) for name in names.split()], qrels, best)
    assert {value for row in found.values() for value in row} == {1}


def test_a_missing_topic_scores_0_and_still_counts_what_is_relevant():
    universe = Universe.from_qrels({"1": {"a": 1}, "2": {"b": 1, "c": 0}})
    row = score([placed({"1": ["a"]}, universe)], universe, MEASURES).values[0, 1].tolist()
    found = {str(m): value for m, value in zip(MEASURES, row, strict=True) if value}
    residuals = {"RBPresid": 1, "RBPresid@5": pytest.approx(1)}
    ideals = {"IDCG": 1, "IDCG@5": 1}
    assert found == {"NumQ": 1, "NumRel": 1, "ESL": 1 / 2, **residuals, **ideals}


def test_a_topic_with_only_negative_grades_is_unjudged_and_scores_0():
    row = values_of(MEASURES, {"1": {"a": -1, "b": -2}}, {"1": ["a", "b"]})["1"]
    found = {str(m): value for m, value in zip(MEASURES, row, strict=True) if value}
    shares = {"Unjudged@3": 2 / 3, "Unjudged@5": 2 / 5, "RBPresid": 1, "RBPresid@5": 1}
    assert found == {"NumRet": 2, "NumQ": 1, "Utility": -2, **shares}


@pytest.mark.parametrize(
    ("ranking", "name", "value"),
    [
        ("a x b y", "Judged@4", 2 / 4),  # y is in the qrels, with a negative grade
        ("a x", "Judged@10", 1 / 2),  # of the two retrieved, not of ten
        ("x a", "RR@1", 0),
        ("x a", "RR@2", 1 / 2),
    ],
)
def test_by_definition(ranking, name, value):
    assert one({"a": 1, "b": 0, "y": -1, "z": 2}, ranking, name) == value


def test_a_measure_that_names_its_level_keeps_it():
    grades = {"a": 1, "b": 2}
    assert one(grades, "a b", "P(level=2)@2", level=1) == 1 / 2
    assert one(grades, "a b", "P@2", level=2) == 1 / 2
    assert one(grades, "a b", "P(level=1)@2", level=2) == 1


def test_a_level_below_1_is_refused():
    with pytest.raises(ValueError, match="above 0"):
        one({"a": 1}, "a", "AP", level=0)


def test_without_measures_there_are_no_columns():
    assert values_of([], {"1": {"a": 1}}, {"1": ["a"]}) == {"1": []}
