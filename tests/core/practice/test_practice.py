"""Known answers as lines, what changes between two lists, and how answers agree with them."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from practice import core
from practice.core import Known, Practiced, accuracy_of, read_known, written

WORDS = st.text(string.ascii_letters + string.digits + "-._é", min_size=1, max_size=9)
WHY = st.lists(WORDS, max_size=4).map(" ".join)
KNOWN = st.lists(
    st.builds(Known, WORDS, st.integers(-2, 9), WHY), unique_by=lambda each: each.docno, max_size=12
)


@given(KNOWN)
def test_what_is_written_is_read_again(known):
    lines, faults = read_known(written(known))
    assert (list(lines.values()), faults) == (known, [])
    assert list(lines) == list(range(1, len(known) + 1))


def said(text: str) -> list[str]:
    return [str(fault) for fault in read_known(text)[1]]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("d1", "Write a docno, a tab, its grade, a tab, and why it has that grade."),
        *(
            (f"d1\t{text}\tx", f"“{text}” is not a grade: write a whole number.")
            for text in ("relevant", "1.5", "\N{ARABIC-INDIC DIGIT ONE}", "100")
        ),
        ("d1\t1\ta\rb", "It holds a CR without LF."),
        ("é" * 128 + "\t1", "The docno is longer than 255 bytes."),
        (
            "d1\t1\t" + "x" * 2001,
            f"The explanation has 2,001 characters; the limit is {core.LONGEST_EXPLANATION:,}.",
        ),
        ("d0 0", "d0 is in line 1 already."),
    ],
)
def test_a_line_that_cannot_be_taken_says_why_and_which_it_is(line, fault):
    assert said(f"d0 2 why\n\n{line}\nd9 1") == [f"Line 3: {fault}"]


def test_every_fault_is_told_and_what_is_right_is_read():
    known, faults = read_known("d1\nd2 x\nd3 \N{MINUS SIGN}1 It is junk.")
    assert known == {3: Known("d3", -1, "It is junk.")}
    assert [fault.line for fault in faults] == [1, 2]


def test_there_can_be_too_many():
    lines = "\n".join(f"d{n} 1" for n in range(core.MOST_DOCUMENTS + 1))
    assert said(lines) == ["These are 101 documents; practice has at most 100."]
    assert said(lines.partition("\n")[2]) == []


def test_lines_of_what_is_far_too_long_are_not_told_one_by_one():
    assert said("x\n" * 1001) == ["These are 1,001 documents; practice has at most 100."]


def test_a_tab_in_an_explanation_stays_there():
    [known] = read_known("d1 1 one\ttwo  three")[0].values()
    assert known.explanation == "one\ttwo  three"


ANSWERS = st.lists(st.builds(Practiced, st.none() | st.integers(0, 3), st.integers(0, 3)))


@given(ANSWERS)
def test_each_answer_is_counted_at_most_once(answers):
    found = accuracy_of(answers, range(4))
    assert found.answered == len(answers)
    assert found.right + found.off_by_one + found.cannot_judge <= len(answers)
    assert found.right == sum(each.grade == each.known for each in answers)
    assert (found.mean_difference is None) == (found.cannot_judge == found.answered)


@given(ANSWERS)
def test_the_mean_difference_turns_its_sign_with_the_grades(answers):
    graded = [each for each in answers if each.grade is not None]
    turned = [Practiced(each.known, each.grade) for each in graded]
    there, back = (accuracy_of(some, range(4)).mean_difference for some in (graded, turned))
    assert (there is None and back is None) or there == -back


def test_one_step_is_one_of_the_scale_and_not_a_difference_of_one():
    answers = [Practiced(-2, 0), Practiced(0, 3)]
    assert accuracy_of(answers, [-2, 0, 3]).off_by_one == 2
    assert accuracy_of(answers, [-2, -1, 0, 1, 3]).off_by_one == 0


def test_a_grade_that_the_scale_has_no_more_is_still_compared():
    found = accuracy_of([Practiced(2, 5), Practiced(5, 5)], [0, 1, 2])
    assert (found.right, found.off_by_one, found.mean_difference) == (1, 1, -1.5)
