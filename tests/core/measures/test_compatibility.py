"""Compatibility, against the sums of its definition."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.compatibility import COMPAT
from tests.core.measures.made import graded
from tests.core.measures.orders import orders, values


def overlap(first: list[str], second: list[str], p: float) -> float:
    """Clarke, Vtyurina and Smucker 2021: rank-biased overlap down to rank 1000, not normalized."""
    return math.fsum(
        p ** (depth - 1) * len(set(first[:depth]) & set(second[:depth])) / depth
        for depth in range(1, 1001)
    )


def similarity(grades: dict[str, int], ranking: list[str], p: float) -> float:
    """The overlap with the best ranking most like this one, over that of the best with itself."""
    best = [docno for docno, grade in grades.items() if grade > 0]
    best.sort(key=lambda docno: [*ranking, docno].index(docno))
    best.sort(key=grades.get, reverse=True)
    return overlap(ranking, best, p) / overlap(best, best, p) if best else 0.0


@given(graded(), orders(), st.sampled_from([0.3, 0.8, 0.95, 0.999]))
def test_compatibility_equals_the_sums_of_its_definition(qrels, rankings, p):
    ours = values(COMPAT.measure(p=p), qrels, rankings)
    for topic, value in ours.items():
        theirs = similarity(qrels[topic], rankings[topic], p)
        assert math.isclose(value, theirs, rel_tol=1e-12, abs_tol=1e-15)


@pytest.mark.parametrize("ranking", ["c b a", "c a b"])
def test_either_order_of_equal_grades_is_ideal(ranking):
    grades = {"1": {"a": 1, "b": 1, "c": 2, "d": 0}}
    value = values(COMPAT.measure(), grades, {"1": ranking.split()})
    assert value == {"1": 1.0}


def test_ranks_below_1000_are_not_compared():
    grades = {"1": {f"d{number:04}": 1 for number in range(1200)}}
    ranking = [f"u{number}" for number in range(999)]
    last = values(COMPAT.measure(p=0.5), grades, {"1": [*ranking, "d0000"]})
    assert 0 < last["1"] < 1e-290


@pytest.mark.parametrize("p", [0, 1, -0.5])
def test_a_chance_of_reading_on_is_between_0_and_1(p):
    with pytest.raises(ValueError, match="between 0 and 1"):
        COMPAT.measure(p=p)


def test_each_topic_has_a_best_ranking_of_its_own():
    grades = {"1": {"a": 2, "b": 1}, "2": {"c": 1}}
    rankings = {"1": ["a", "b"], "2": ["c"]}
    assert values(COMPAT.measure(), grades, rankings) == {"1": 1.0, "2": 1.0}
