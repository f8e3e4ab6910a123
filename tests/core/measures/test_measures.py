"""Every measure against trec_eval, bit for bit, and against its definition where trec_eval has none."""

import math

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from measures import FAMILIES
from measures.family import Input
from measures.inputs.placements import place
from measures.inputs.universe import Universe
from measures.names import LEADERBOARD, parse
from measures.scoring.scoring import score
from tests.core.measures.made import graded, in_order, member, placed, ranked, scored
from tests.strategies import Qrels, Run

TREC_EVAL = [
    "map",
    "ndcg",
    "recip_rank",
    "Rprec",
    "bpref",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "P_1",
    "P_3",
    "P_10",
    "recall_1",
    "recall_5",
    "recall_1000",
    "ndcg_cut_1",
    "ndcg_cut_5",
    "ndcg_cut_10",
    "map_cut_1",
    "map_cut_3",
    "map_cut_10",
]
REQUESTED = {
    "map",
    "ndcg",
    "recip_rank",
    "Rprec",
    "bpref",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "P.1,3,10",
    "recall.1,5,1000",
    "ndcg_cut.1,5,10",
    "map_cut.1,3,10",
}


def values(qrels: Qrels, run: Run, names: list[str], level: int = 1) -> dict[str, dict[str, float]]:
    """Ours, by topic and name."""
    universe = Universe.from_qrels(qrels)
    measures = [parse(name) for name in names]
    found = score([placed(run, universe)], universe, measures, level=level)
    return {
        topic: dict(zip(names, row, strict=True))
        for topic, row in zip(universe.topics, found.values[0].tolist(), strict=True)
    }


def one(grades: dict[str, int], ranking: str, name: str, level: int = 1) -> float:
    """The value of a measure for one topic, its ranking given as words."""
    universe = Universe.from_qrels({"1": grades})
    placements = place(in_order({"1": ranking.split()}), universe)
    return score([placements], universe, [parse(name)], level=level).values.item()


@given(graded(), scored(), st.integers(1, 3))
def test_every_value_equals_that_of_trec_eval_in_every_bit(qrels, run, level):
    theirs = pytrec_eval.RelevanceEvaluator(qrels, REQUESTED, relevance_level=level).evaluate(run)
    ours = values(qrels, run, TREC_EVAL, level)
    assert {topic: ours[topic] for topic in theirs} == theirs


@given(graded(), scored())
def test_a_missing_topic_scores_0_and_still_counts_what_is_relevant(qrels, run):
    names = [name for name in TREC_EVAL if name != "num_rel"]
    ours = values(qrels, run, [*names, "Judged@10"])
    for topic in set(qrels) - set(run):
        assert set(ours[topic].values()) == {0.0}


@given(graded(), scored())
def test_scores_stay_between_0_and_1(qrels, run):
    universe = Universe.from_qrels(qrels)
    table = score([placed(run, universe)], universe, LEADERBOARD).values
    assert ((table >= 0) & (table <= 1)).all()


@given(graded(lowest=1))
def test_the_ideal_order_scores_1(qrels):
    best = {topic: sorted(grades, key=grades.get, reverse=True) for topic, grades in qrels.items()}
    names = ["AP", "nDCG", "nDCG@5", "RR", "Rprec", "Bpref", "R@1000", "Judged@5", "P@1"]
    universe = Universe.from_qrels(qrels)
    measures = [parse(name) for name in names]
    found = score([place(in_order(best), universe)], universe, measures)
    assert (found.values == 1).all()


@given(graded(), scored(), st.integers(1, 20))
def test_a_cutoff_reads_only_the_ranks_above_it(qrels, run, cutoff):
    whole = ranked(run)
    short = {
        t: [d.decode() for d in whole.top(i, cutoff).tolist()] for i, t in enumerate(whole.topics)
    }
    measures = [
        member(family, cutoff=cutoff)
        for family in FAMILIES
        if family.cutoff != "never" and family.reads is Input.GRADES
    ]
    universe = Universe.from_qrels(qrels)
    found = [
        score([place(run, universe)], universe, measures).values for run in (whole, in_order(short))
    ]
    assert np.array_equal(*found)


NOT_ZERO = {"NumRet": 2, "NumQ": 1, "Unjudged@3": 2 / 3, "RBPresid": 1, "Utility": -2}


@pytest.mark.parametrize(
    "family",
    [family for family in FAMILIES if family.reads is Input.GRADES],
    ids=lambda family: family.name,
)
def test_a_topic_with_only_negative_grades_is_unjudged_and_scores_0(family):
    name = str(member(family))
    assert one({"a": -1, "b": -2}, "a b", name) == NOT_ZERO.get(name, 0)


@pytest.mark.parametrize(
    ("ranking", "name", "value"),
    [
        ("a x b y", "Judged@4", 2 / 4),  # y is in the qrels, with a negative grade
        ("a x", "Judged@10", 1 / 2),  # of the two retrieved, not of ten
        ("x a", "RR@1", 0),
        ("x a", "RR@2", 1 / 2),
        ("x y a", "Bpref", 1 / 2),  # unjudged documents above change nothing
        ("b a", "Bpref", 0),
        ("x y a", "AP", 1 / 6),
    ],
)
def test_by_definition(ranking, name, value):
    assert one({"a": 1, "b": 0, "y": -1, "z": 2}, ranking, name) == value


def test_ndcg_divides_grades_by_the_logarithm_of_the_rank_and_by_the_ideal():
    ideal = 3 + 1 / math.log2(3)
    assert one({"a": 1, "b": 3, "c": 0}, "c a b", "nDCG") == (1 / math.log2(3) + 3 / 2) / ideal


def test_a_measure_that_names_its_level_keeps_it():
    grades = {"a": 1, "b": 2}
    assert one(grades, "a b", "P(level=2)@2", level=1) == 1 / 2
    assert one(grades, "a b", "P@2", level=2) == 1 / 2
    assert one(grades, "a b", "P(level=1)@2", level=2) == 1


def test_a_level_below_1_is_refused():
    with pytest.raises(ValueError, match="above 0"):
        one({"a": 1}, "a", "AP", level=0)


def test_without_measures_there_are_no_columns():
    universe = Universe.from_qrels({"1": {"a": 1}})
    found = score([place(in_order({"1": ["a"]}), universe)], universe, [])
    assert found.values.shape == (1, 1, 0)
