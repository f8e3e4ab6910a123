"""A scale of grades makes sense or is refused with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.core.grades import BadLevel, Grade, Scale

BINARY = (Grade(0, "not relevant"), Grade(1, "relevant", "It answers."))


@st.composite
def scales(draw):
    values = sorted(draw(st.sets(st.integers(-2, 9), min_size=2)).union({1}))
    labels = st.text(min_size=1).filter(str.strip)
    grades = tuple(Grade(value, draw(labels), draw(st.text())) for value in values)
    return Scale(grades, draw(st.sampled_from([value for value in values[1:] if value > 0])))


@given(scales())
def test_some_grades_are_relevant_and_some_are_not(scale):
    assert {grade.value >= scale.level for grade in scale.grades} == {True, False}


@pytest.mark.parametrize(
    ("grades", "level", "message"),
    [
        (BINARY[:1], 1, "at least two grades"),
        ((BINARY[0], Grade(0, "again")), 1, "the same value"),
        ((BINARY[0], Grade(10, "ten")), 1, "from -2 to 9"),
        ((Grade(-3, "spam"), BINARY[1]), 1, "from -2 to 9"),
        (BINARY, 2, "does not fit this scale, whose grades are 0, 1:"),
        (BINARY, -1, "relevant from grade 1 at the lowest"),
        ((Grade(1, "no"), Grade(2, "yes")), 1, "does not fit this scale"),
        ((Grade(-1, "spam"), BINARY[0], BINARY[1]), 0, "relevant from grade 1 at the lowest"),
        ((BINARY[0], Grade(1, " ")), 1, "Every grade needs a label"),
    ],
)
def test_a_scale_that_makes_no_sense_is_refused(grades, level, message):
    with pytest.raises(ValueError, match=message) as refused:
        Scale(grades, level)
    is_of_the_level = "scale" in message or "at the lowest" in message
    assert isinstance(refused.value, BadLevel) == is_of_the_level


def test_a_value_outside_the_scale_is_known_to_be():
    scale = Scale(BINARY, 1)
    assert [scale.has(value) for value in (0, 1, 2, None)] == [True, True, False, False]
