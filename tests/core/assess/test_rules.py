"""The rule "primary assessor"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assess.core.rules import lower_median, median_of_shared, primary_assessor

STATES = ("judged", "later", "cannot_judge", "reopened", "unjudged")


@given(st.permutations([("2", "b", 0), ("10", "é", 2), ("10", "B", 1), ("10", "a", 3)]))
def test_rows_are_in_byte_order_of_topic_and_docno_whatever_the_order_given(rows):
    judgments = [(topic, docno, "primary", "judged", grade, None) for topic, docno, grade in rows]
    expected = [("10", "B", 1), ("10", "a", 3), ("10", "é", 2), ("2", "b", 0)]
    assert primary_assessor(judgments) == expected


@pytest.mark.parametrize("role", ["primary", "second", "adjudicator"])
@pytest.mark.parametrize("state", STATES)
def test_only_what_the_primary_assessor_has_judged_gives_a_grade(role, state):
    counts = (role, state) == ("primary", "judged")
    judgment = ("1", "d1", role, state, 0 if state == "judged" else None, None)
    assert primary_assessor([judgment]) == ([("1", "d1", 0)] if counts else [])


def test_two_primary_grades_or_none_are_refused():
    with pytest.raises(ValueError, match="Document d1 has two primary grades for topic 1"):
        primary_assessor([("1", "d1", "primary", "judged", 1, None)] * 2)
    with pytest.raises(ValueError, match="Document d1 is judged for topic 1 without a grade"):
        primary_assessor([("1", "d1", "primary", "judged", None, None)])


def shared(*grades, wanted=3, n_impossible=0, docno="d1"):
    judged = [("1", docno, "shared", "judged", grade, wanted) for grade in grades]
    return [*judged, *[("1", docno, "shared", "cannot_judge", None, wanted)] * n_impossible]


@pytest.mark.parametrize(
    ("rows", "grade"),
    [
        (shared(3, 0, 2), 2),
        (shared(1, 1, 3), 1),
        (shared(3, 1, wanted=2), 1),
        (shared(2, wanted=1), 2),
        (shared(3, 2), None),
        (shared(3, 2, n_impossible=2), None),
        (shared(3, 2, n_impossible=3), 2),
        (shared(n_impossible=3), None),
        ([*shared(0, 1, 2), ("1", "d1", "shared", "reopened", None, 3)], 1),
    ],
)
def test_a_shared_document_has_its_median_once_it_has_its_judgments(rows, grade):
    expected = [] if grade is None else [("1", "d1", grade)]
    assert median_of_shared(rows) == median_of_shared(rows[::-1]) == expected


def test_shared_topics_stand_beside_those_of_primary_assessors():
    rows = [*shared(1, 2, 3, docno="b"), ("1", "a", "second", "judged", 3, None)]
    rows += [("0", "z", "primary", "judged", 0, None)]
    assert median_of_shared(rows) == [("0", "z", 0), ("1", "b", 2)]
    assert primary_assessor(rows) == [("0", "z", 0)]


@given(st.lists(st.integers(-2, 5), min_size=1))
def test_the_lower_median_is_the_greatest_grade_that_half_of_all_reach_from_below(grades):
    grade = lower_median(grades)
    half = len(grades) / 2
    assert sum(each <= grade for each in grades) >= half
    assert sum(each < grade for each in grades) < half
