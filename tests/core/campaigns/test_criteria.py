"""Criteria are stored as they are; those that make no sense are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.core.criteria import (
    DOCUMENT,
    NAME,
    Criterion,
    criteria_of,
    first_of_kinds,
    key_of,
    scale_of,
)
from campaigns.core.grades import BadLevel, Grade

YES_NO = (Grade(0, "no"), Grade(1, "yes", "I would act on it."))
WORDS = st.text(min_size=1, max_size=12)


@st.composite
def criteria(draw):
    names = draw(st.lists(st.from_regex(NAME, fullmatch=True), min_size=1, max_size=7, unique=True))
    made = []
    for name in names:
        values = sorted(draw(st.sets(st.integers(0, 9), min_size=2)))
        answers = tuple(Grade(value, draw(WORDS), draw(st.just("") | WORDS)) for value in values)
        condition = draw(st.none() | st.integers(-2, 9))
        kind = draw(st.sampled_from([DOCUMENT, "claim"]))
        made.append(Criterion(name, draw(WORDS), answers, condition, draw(st.booleans()), kind))
    return tuple(made)


@given(criteria())
def test_what_is_stored_is_read_again(made):
    stored = [each.to_json() for each in made]
    assert criteria_of(stored) == made
    for each in stored:
        each["answers"].reverse()
    assert criteria_of(stored) == made, "answers come in ascending order"


@given(criteria())
def test_one_criterion_of_each_kind_gives_the_grade(made):
    first = first_of_kinds(made)
    assert set(first) == {each.kind for each in made}
    for kind, each in first.items():
        of_kind = [other for other in made if other.kind == kind]
        assert of_kind[0] == each
        keys = ["grade", *(other.name for other in of_kind[1:])]
        assert [key_of(other, made) for other in of_kind] == keys


def test_the_scale_is_that_of_the_first_criterion_about_documents():
    verdict = Criterion("verdict", "", YES_NO, kind="claim")
    trust = Criterion("trust", "", (*YES_NO, Grade(2, "fully")))
    relevance = Criterion("relevance", "", YES_NO, level=1)
    scale = scale_of(each.to_json() for each in (verdict, relevance, trust))
    assert (scale.grades, scale.level) == (YES_NO, 1)
    with pytest.raises(BadLevel):
        _ = trust.scale


@pytest.mark.parametrize(
    ("answers", "level", "message"),
    [
        (YES_NO[:1], None, "trust needs at least two answers"),
        ((*YES_NO, Grade(1, "perhaps")), None, "Two answers of trust have the same value"),
        (YES_NO, 2, "does not fit this scale"),
        (YES_NO, 0, "relevant from grade 1 at the lowest"),
    ],
)
def test_what_makes_no_sense_is_refused(answers, level, message):
    with pytest.raises(ValueError, match=message):
        Criterion("trust", "Do you?", answers, level=level)
