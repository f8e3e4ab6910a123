"""Criteria are written as text, read, and stored; what makes no sense is refused with a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.core.criteria import BadCriteria, Criterion, criteria_of, read, written
from campaigns.core.grades import Grade

YES_NO = "0 | no\n1 | yes"
ASK = "trust | Do you?\n"
WORDS = st.text("abc ü?é7", min_size=1, max_size=12).map(str.strip).filter(bool)


KINDS = ["document", "claim"]


@pytest.fixture(autouse=True, scope="module")
def claims_can_be_judged():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("campaigns.core.criteria.KINDS", KINDS)
        yield


@st.composite
def criteria(draw):
    names = draw(
        st.lists(st.from_regex(r"[a-z][a-z0-9_-]{0,9}", fullmatch=True), max_size=6, unique=True)
    )
    made = []
    for name in names:
        values = sorted(draw(st.sets(st.integers(0, 9), min_size=2)))
        answers = tuple(Grade(value, draw(WORDS), draw(st.just("") | WORDS)) for value in values)
        condition = draw(st.none() | st.integers(-2, 9))
        kind = draw(st.sampled_from(KINDS))
        made.append(Criterion(name, draw(WORDS), answers, condition, draw(st.booleans()), kind))
    return tuple(made)


@given(criteria())
def test_what_is_written_is_read_again(made):
    assert read(written(made)) == made
    assert criteria_of(each.to_json() for each in made) == made


def test_the_condition_is_written_with_its_word_or_alone():
    [plain], [worded] = (
        read(f"trust | Do you? | {each}\n0 | no\n1 | yes") for each in ("1", "from 1")
    )
    assert plain == worded
    assert plain.from_grade == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n0 | no", "Line 2: an answer comes after the line with the criterion"),
        ("Trust | Do you?", "Line 1: begin with a name of lower-case letters"),
        ("trust", "Line 1: after the name trust comes the question"),
        ("trust | Do you? | since 2", "not “since 2”"),
        ("trust | Do you? | from 12", "not “from 12”"),
        ("trust | Do you? | about rumor", "not “about rumor”"),
        ("\ntrust | Do you?\n0 | no", "Line 2: trust needs at least two answers"),
        (f"{ASK}0 | no\n0 | yes", "Line 3: another answer has the value 0."),
        (f"{ASK}-1 | no\n0 | yes", "Line 2: the value of an answer is a digit, from 0 to 9."),
        (f"{ASK}\N{MINUS SIGN}1 | no\n0 | yes", "Line 2: the value of an answer is a digit"),
        (f"{ASK}0 no\n1 | yes", "Line 2: write an answer as value | label"),
        (f"trust | {'x' * 301}", "Line 1: a question has at most 300 characters."),
        (f"{ASK}0 | {'x' * 61}\n1 | yes", "Line 2: a label has at most 60 characters"),
        (f"{ASK}0 | no\n{'9' * 5000} | yes", "Line 3: the value of an answer is a digit"),
        (f"{ASK}0 | no\n1 |", "Line 3: write an answer as value | label"),
        (f"{ASK}{YES_NO}\n\ntrust | Really?\n{YES_NO}", "Two criteria have the name trust"),
        (f"relevance | Is it?\n{YES_NO}", "Two criteria have the name relevance."),
        ("\n".join(f"t{n} | Do you?\n{YES_NO}" for n in range(7)), "At most 6 criteria"),
    ],
)
def test_what_is_no_list_of_criteria_is_refused(text, message):
    with pytest.raises(BadCriteria) as refused:
        read(text)
    assert message in str(refused.value)
