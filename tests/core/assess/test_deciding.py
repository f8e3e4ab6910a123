"""Whether an answer is recorded, given what its page showed and what there is now."""

from dataclasses import replace

import pytest

from assess.core.answers import Answer
from assess.core.deciding import NOTHING, Present, Refusal, decide, decide_undo

GRADED = Answer("d1", "judged", 2, "", "why", {}, ())
IMPOSSIBLE = Answer("d1", "cannot_judge", None, "language", "", {}, ())
REOPENED = Answer("d1", "reopened", None, "", "why", {}, ())
SILENT = replace(GRADED, comment=None)

ELSEWHERE = "You graded d1 elsewhere meanwhile: 2."
OTHERS = Present(GRADED, 5, is_own=False, author="Ada")
NOW = Present(GRADED, 5, shown_comment="why")

# Answer, the change that the page showed, what there is now, and what is recorded or why not.
ANSWERS = {
    "a client that shows nothing": (SILENT, None, NOW, SILENT),
    "the first answer": (GRADED, 0, None, GRADED),
    "the present answer is shown": (SILENT, 5, NOW, SILENT),
    "a reset": (GRADED, 3, None, Refusal("Your judgment of d1 was set aside meanwhile.")),
    "another's answer": (GRADED, 3, OTHERS, Refusal("Ada has judged d1 meanwhile.")),
    "the own answer undone": (GRADED, 3, OTHERS._replace(is_undone=True), GRADED),
    "the same answer": (SILENT, 3, NOW, SILENT),
    "the same answer with the comment shown": (GRADED, 3, NOW, SILENT),
    "the same answer with a new comment": (
        replace(GRADED, comment="new"),
        3,
        NOW,
        replace(GRADED, comment="new"),
    ),
    "two new comments": (
        replace(GRADED, comment="new"),
        3,
        NOW._replace(shown_comment="old"),
        Refusal(f"{ELSEWHERE} What you said beside it differs."),
    ),
    "the comment of another page": (GRADED, 3, NOW._replace(shown_comment="old"), GRADED),
    "another grade": (replace(GRADED, grade=1), 3, NOW, Refusal(ELSEWHERE)),
    "other ratings": (
        replace(SILENT, ratings={"clear": 1}),
        3,
        NOW,
        Refusal(f"{ELSEWHERE} What you said beside it differs."),
    ),
    "no grade there": (
        GRADED,
        3,
        Present(IMPOSSIBLE, 5, "cannot judge, I don't read this language"),
        Refusal("You answered d1 elsewhere meanwhile: cannot judge, I don't read this language."),
    ),
    "a reopened document": (
        GRADED,
        3,
        Present(REOPENED, 5, shown_comment="why"),
        Refusal("d1 was reopened meanwhile."),
    ),
}


@pytest.mark.parametrize(("answer", "shown", "present", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_recorded_unless_the_page_showed_something_else(
    answer, shown, present, expected
):
    assert decide(answer, shown, present) == expected


# The change that the page showed, what there is now, and why it cannot be taken back.
UNDONE = {
    "the present answer is shown": (5, NOW, None),
    "a client that shows nothing": (None, NOW, None),
    "nothing is judged": (None, None, NOTHING),
    "another's answer": (3, OTHERS, NOTHING),
    "taken back already": (5, Present(REOPENED, 5), NOTHING),
    "changed since": (3, NOW, Refusal(f"{ELSEWHERE} So nothing was undone.")),
    "reopened since": (
        3,
        Present(REOPENED, 5),
        Refusal("d1 was reopened meanwhile. So nothing was undone."),
    ),
}


@pytest.mark.parametrize(("shown", "present", "expected"), UNDONE.values(), ids=UNDONE)
def test_only_the_own_answer_that_was_shown_is_taken_back(shown, present, expected):
    assert decide_undo(shown, present) == expected
