"""ERR, Q and compatibility, against the loops of their definitions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.compatibility import COMPAT
from cleverdon.measures.expected_reciprocal_rank import ERR, NERR
from cleverdon.measures.q_measure import Q
from tests.core.measures.made import graded, grades_in_order, ideal, one, orders, values, values_of

HIGHEST, CUTOFFS = st.sampled_from([1, 2, 3, 4, 5, 200]), st.none() | st.integers(1, 12)


def err(grades: list[int], highest: int) -> float:
    """Chapelle et al. 2009, algorithm 2: from the top, a reader not satisfied reads on."""
    total, left = 0.0, 1.0
    for rank, grade in enumerate(grades, start=1):
        satisfied = (2 ** min(grade, highest) - 1) / 2**highest
        total += satisfied * left / rank
        left *= 1 - satisfied
    return total


@given(graded(), orders(), HIGHEST, CUTOFFS)
def test_err_and_nerr_equal_the_loop_of_the_definition_in_every_bit(
    qrels, rankings, highest, cutoff
):
    measures = [family.measure(max_rel=highest, cutoff=cutoff) for family in (ERR, NERR)]
    for topic, row in values_of(measures, qrels, rankings).items():
        value = err(grades_in_order(qrels[topic], rankings[topic])[:cutoff], highest)
        best = err(ideal(qrels[topic])[:cutoff], highest)
        assert row == [value, value / best if best else 0.0]


def test_without_a_scale_it_is_that_of_gdeval():
    assert one({"a": 1}, "a", "ERR") == 1 / 16
    assert one({"a": 1}, "a", "ERR(max_rel=1)") == 1 / 2


@pytest.mark.parametrize("highest", [0, 1001])
def test_a_scale_that_ends_outside_of_1_to_1000_is_refused(highest):
    with pytest.raises(ValueError, match="from 1 to 1000"):
        ERR.measure(max_rel=highest)


def blended(found: list[int], best: list[int], beta: float) -> float:
    """Sakai 2004: the blended ratio at each relevant document, over R."""
    total = 0.0
    for rank, grade in enumerate(found, start=1):
        if grade > 0:
            count = sum(g > 0 for g in found[:rank])
            gain, best_gain = sum(found[:rank]), sum(best[:rank])
            total += (count + beta * gain) / (rank + beta * best_gain)
    return total / len(best) if best else 0.0


@given(graded(), orders(), st.sampled_from([0.0, 0.5, 1.0, 10.0]), st.booleans())
def test_q_equals_the_loop_of_its_definition(qrels, rankings, beta, judged_only):
    measure = Q.measure(beta=beta, judged_only=judged_only)
    for topic, value in values(measure, qrels, rankings).items():
        grades = grades_in_order(qrels[topic], rankings[topic], judged_only=judged_only)
        assert math.isclose(value, blended(grades, ideal(qrels[topic]), beta))


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
    for topic, value in values(COMPAT.measure(p=p), qrels, rankings).items():
        theirs = similarity(qrels[topic], rankings[topic], p)
        assert math.isclose(value, theirs, rel_tol=1e-12, abs_tol=1e-15)


def test_ranks_below_1000_are_not_compared():
    grades = {f"d{number:04}": 1 for number in range(1200)}
    ranking = " ".join([*(f"u{number}" for number in range(999)), "d0000"])
    assert 0 < one(grades, ranking, "Compat(p=0.5)") < 1e-290


@pytest.mark.parametrize("p", [0, 1, -0.5])
def test_a_chance_of_reading_on_is_between_0_and_1(p):
    with pytest.raises(ValueError, match="between 0 and 1"):
        COMPAT.measure(p=p)
