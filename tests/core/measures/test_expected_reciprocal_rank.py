"""Expected reciprocal rank, against the loop of its definition."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.expected_reciprocal_rank import ERR, NERR
from tests.core.measures.made import graded
from tests.core.measures.orders import grades_in_order, ideal, orders, values


def expected(grades: list[int], highest: int) -> float:
    """Chapelle et al. 2009, algorithm 2: from the top, whoever is not satisfied reads on."""
    total, left = 0.0, 1.0
    for rank, grade in enumerate(grades, start=1):
        satisfied = (2 ** min(grade, highest) - 1) / 2**highest
        total += satisfied * left / rank
        left *= 1 - satisfied
    return total


@given(graded(), orders(), st.sampled_from([1, 2, 3, 4, 5, 200]), st.none() | st.integers(1, 12))
def test_err_equals_the_loop_of_its_definition_in_every_bit(qrels, rankings, highest, cutoff):
    ours = values(ERR.measure(max_rel=highest, cutoff=cutoff), qrels, rankings)
    assert ours == {
        topic: expected(grades_in_order(qrels[topic], rankings[topic])[:cutoff], highest)
        for topic in ours
    }


@given(graded(), orders(), st.sampled_from([1, 2, 3, 4, 5, 200]), st.none() | st.integers(1, 12))
def test_nerr_divides_by_the_best_ranking_of_all_judged_documents(qrels, rankings, highest, cutoff):
    ours = values(NERR.measure(max_rel=highest, cutoff=cutoff), qrels, rankings)
    for topic, value in ours.items():
        best = expected(ideal(qrels[topic])[:cutoff], highest)
        found = expected(grades_in_order(qrels[topic], rankings[topic])[:cutoff], highest)
        assert value == (found / best if best else 0.0)


@given(graded(lowest=1), st.none() | st.integers(1, 12))
def test_the_best_ranking_has_an_nerr_of_1(qrels, cutoff):
    best = {topic: sorted(grades, key=grades.get, reverse=True) for topic, grades in qrels.items()}
    assert set(values(NERR.measure(cutoff=cutoff), qrels, best).values()) == {1.0}


def test_the_chances_of_reading_on_multiply():
    value = values(ERR.measure(), {"1": {"a": 3, "b": 2, "c": 4}}, {"1": ["a", "b", "c"]})
    by_hand = 7 / 16 + 9 / 16 * 3 / 16 / 2 + 9 / 16 * 13 / 16 * 15 / 16 / 3
    assert math.isclose(value["1"], by_hand)


def test_without_a_scale_it_is_that_of_gdeval():
    grades, ranking = {"1": {"a": 1}}, {"1": ["a"]}
    assert values(ERR.measure(), grades, ranking) == {"1": 1 / 16}
    assert values(ERR.measure(max_rel=1), grades, ranking) == {"1": 1 / 2}


@pytest.mark.parametrize("highest", [0, 1001])
def test_a_scale_that_ends_outside_of_1_to_1000_is_refused(highest):
    with pytest.raises(ValueError, match="from 1 to 1000"):
        ERR.measure(max_rel=highest)
