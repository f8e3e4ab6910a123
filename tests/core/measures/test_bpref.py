"""Accuracy over pairs, against ir_measures. (Bpref: test_equal_to_trec_eval.)"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.bpref import ACCURACY
from tests.core.measures.made import graded, one, orders, values


def of_ir_measures(grades, ranking, cutoff, level):
    """Its value, or 0 where it reports none; 1 where it divides by no pair."""
    import ir_measures  # slow to import

    run = {"1": {docno: float(-rank) for rank, docno in enumerate(ranking)}}
    measure = ir_measures.Accuracy(rel=level)
    measure = measure @ cutoff if cutoff else measure
    try:
        found = list(ir_measures.iter_calc([measure], {"1": grades}, run))
    except ZeroDivisionError:
        return 1.0
    return found[0].value if found else 0.0


@given(graded(), orders(), st.integers(1, 3), st.none() | st.integers(1, 12))
def test_accuracy_equals_that_of_ir_measures(qrels, rankings, level, cutoff):
    ours = values(ACCURACY.measure(cutoff=cutoff), qrels, rankings, level=level)
    for topic, value in ours.items():
        theirs = of_ir_measures(qrels[topic], rankings[topic], cutoff, level)
        assert value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(
    ("ranking", "judged_only", "value"),
    [
        ("a u b", False, 1 / 2),
        ("a u b", True, 1),  # without u no pair is left
        ("u a c", False, 1 / 2),
        ("u a c", True, 1),
        ("c a", True, 0),
        ("c u", False, 0),
    ],
)
def test_only_judged_pairs_are_seen_when_asked_for(ranking, judged_only, value):
    measure = ACCURACY.measure(judged_only=judged_only)
    assert one({"a": 1, "b": 1, "c": 0}, ranking, measure) == value
