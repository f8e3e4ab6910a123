"""A scale of grades makes sense or is refused with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.core.grades import Grade, Scale

BINARY = (Grade(0, "not relevant"), Grade(1, "relevant", "It answers."))


@st.composite
def scales(draw):
    values = sorted(draw(st.sets(st.integers(0, 9), min_size=2)))
    labels = st.text(min_size=1).filter(str.strip)
    grades = tuple(Grade(value, draw(labels), draw(st.text())) for value in values)
    return Scale(grades, draw(st.sampled_from(values[1:])))


@given(scales())
def test_a_scale_survives_its_storage(scale):
    assert Scale.from_json(scale.to_json()) == scale


@given(scales())
def test_some_grades_are_relevant_and_some_are_not(scale):
    assert {grade.value >= scale.level for grade in scale.grades} == {True, False}
    assert all(scale.label_of(grade.value) == grade.label for grade in scale.grades)


def test_stored_grades_come_in_ascending_order():
    stored = Scale(BINARY, 1).to_json()
    stored["grades"].reverse()
    assert Scale.from_json(stored).grades == BINARY


@pytest.mark.parametrize(
    ("grades", "level", "message"),
    [
        (BINARY[:1], 1, "at least two grades"),
        ((BINARY[0], Grade(0, "again")), 1, "the same value"),
        ((BINARY[0], Grade(10, "ten")), 1, "from 0 to 9"),
        ((Grade(-1, "spam"), BINARY[1]), 1, "from 0 to 9"),
        (BINARY, 0, "makes every document alike"),
        (BINARY, 2, "makes every document alike"),
        ((BINARY[0], Grade(1, " ")), 1, "Every grade needs a label"),
    ],
)
def test_a_scale_that_makes_no_sense_is_refused(grades, level, message):
    with pytest.raises(ValueError, match=message):
        Scale(grades, level)


def test_a_value_outside_the_scale_is_known_to_be():
    scale = Scale(BINARY, 1)
    assert [scale.has(value) for value in (0, 1, 2, None)] == [True, True, False, False]
    with pytest.raises(ValueError, match="2 is not a grade"):
        scale.label_of(2)
