"""The rule "primary assessor"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assess.core.rules import primary_assessor

STATES = ("judged", "later", "cannot_judge", "reopened", "unjudged")


@given(st.permutations([("2", "b", 0), ("10", "é", 2), ("10", "B", 1), ("10", "a", 3)]))
def test_rows_are_in_byte_order_of_topic_and_docno_whatever_the_order_given(rows):
    judgments = [
        (topic, docno, "primary", "judged", grade) for topic, docno, grade in rows
    ]
    assert primary_assessor(judgments) == [
        ("10", "B", 1),
        ("10", "a", 3),
        ("10", "é", 2),
        ("2", "b", 0),
    ]


@pytest.mark.parametrize("role", ["primary", "second", "adjudicator"])
@pytest.mark.parametrize("state", STATES)
def test_only_what_the_primary_assessor_has_judged_gives_a_grade(role, state):
    counts = (role, state) == ("primary", "judged")
    judgment = ("1", "d1", role, state, 0 if state == "judged" else None)
    assert primary_assessor([judgment]) == ([("1", "d1", 0)] if counts else [])


def test_a_second_opinion_changes_nothing():
    judgments = [
        ("1", "d1", "primary", "judged", 1),
        ("1", "d1", "second", "judged", 3),
    ]
    assert primary_assessor(judgments) == [("1", "d1", 1)]
    assert primary_assessor(reversed(judgments)) == [("1", "d1", 1)]


def test_two_primary_grades_are_refused():
    with pytest.raises(
        ValueError, match="Document d1 has two primary grades for topic 1"
    ):
        primary_assessor([("1", "d1", "primary", "judged", 1)] * 2)


def test_judged_without_a_grade_is_refused():
    with pytest.raises(
        ValueError, match="Document d1 is judged for topic 1 without a grade"
    ):
        primary_assessor([("1", "d1", "primary", "judged", None)])
