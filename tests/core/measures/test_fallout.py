"""Fallout, against the sets of its definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.nonrelevant import FALLOUT, SET_FALLOUT
from tests.core.measures.made import graded
from tests.core.measures.orders import orders, values


@given(graded(), orders(), st.integers(1, 3), st.integers(1, 12))
def test_of_a_collection_of_unknown_size_judged_documents_are_looked_at(
    qrels, rankings, level, cutoff
):
    ours = values(FALLOUT.measure(cutoff=cutoff), qrels, rankings, level=level)
    for topic, value in ours.items():
        others = {d for d, grade in qrels[topic].items() if 0 <= grade < level}
        retrieved = others & set(rankings[topic][:cutoff])
        assert value == (len(retrieved) / len(others) if others else 0.0)


@given(graded(), orders(), st.integers(1, 3), st.none() | st.integers(1, 12))
def test_of_a_collection_of_known_size_all_that_is_not_relevant_counts(
    qrels, rankings, level, cutoff
):
    measure = FALLOUT.measure(cutoff=cutoff) if cutoff else SET_FALLOUT.measure()
    ours = values(measure, qrels, rankings, level=level, n_documents=1000)
    for topic, value in ours.items():
        relevant = {d for d, grade in qrels[topic].items() if grade >= level}
        retrieved = set(rankings[topic][:cutoff]) - relevant
        assert value == len(retrieved) / (1000 - len(relevant))


def test_a_collection_of_relevant_documents_only_has_no_fallout():
    assert values(SET_FALLOUT.measure(), {"1": {"a": 1}}, {"1": ["a"]}) == {"1": 0.0}


def test_a_level_is_read():
    grades, ranking = {"1": {"a": 1, "b": 0}}, {"1": ["a"]}
    with_level = SET_FALLOUT.measure(level=2)
    assert values(with_level, grades, ranking) == {"1": pytest.approx(1 / 2)}
