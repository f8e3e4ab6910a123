"""The Q-measure, against the loop of its definition."""

import math

from hypothesis import given
from hypothesis import strategies as st

from measures.average_precision import AP
from measures.q_measure import Q
from tests.core.measures.made import graded
from tests.core.measures.orders import grades_in_order, ideal, orders, values


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
def test_q_equals_the_loop_of_its_definition_on_whole_and_on_condensed_lists(
    qrels, rankings, beta, judged_only
):
    measure = Q.measure(beta=beta, judged_only=judged_only)
    for topic, value in values(measure, qrels, rankings).items():
        grades = grades_in_order(qrels[topic], rankings[topic], judged_only=judged_only)
        assert math.isclose(value, blended(grades, ideal(qrels[topic]), beta))


@given(graded(), orders())
def test_without_grades_it_is_average_precision_in_every_bit(qrels, rankings):
    assert values(Q.measure(beta=0), qrels, rankings) == values(AP.measure(), qrels, rankings)


@given(graded(lowest=1))
def test_the_best_ranking_has_a_q_of_1(qrels):
    best = {topic: sorted(grades, key=grades.get, reverse=True) for topic, grades in qrels.items()}
    assert set(values(Q.measure(), qrels, best).values()) == {1.0}
