"""Whether an answer can be recorded, given the judgment that its document has by now."""

from dataclasses import replace
from typing import NamedTuple

from assess.core.answers import Answer

ANSWERED = ("state", "grade", "reason")
NOTHING_TO_UNDO = "There is nothing to undo."


class Present(NamedTuple):
    """The judgment of a document that counts now; `label` is its state and reason in words.

    If the page showed an earlier change, `author` is the name of whose judgment it is,
    `shown_comment` the comment after that change, and `is_undone` says that the change took back
    the assessor's own answer, so that an earlier assessor's counts again.
    """

    answer: Answer
    change: int
    label: str = ""
    is_own: bool = True
    author: str = ""
    shown_comment: str = ""
    is_undone: bool = False


class Refusal(NamedTuple):
    """Why an act is refused; stale if the page showed something else than there is now."""

    sentence: str
    is_stale: bool = True


NOTHING = Refusal(NOTHING_TO_UNDO, is_stale=False)


def decide(answer: Answer, seen_change: int | None, present: Present | None) -> Answer | Refusal:
    """Return the answer to record, or why it is refused.

    An answer that the document has already is recorded, without a comment that only repeats what
    the page showed.
    """
    if seen_change in {None, present.change if present else 0}:
        return answer
    if present is None:
        return Refusal(f"Your judgment of {answer.docno} was set aside meanwhile.")
    if not present.is_own:
        sentence = f"{present.author} has judged {answer.docno} meanwhile."
        return answer if present.is_undone else Refusal(sentence)
    comment = None if answer.comment == present.shown_comment else answer.comment
    keeps_comment = comment is None or present.answer.comment in {present.shown_comment, comment}
    if keeps_comment and _are_same(answer, present.answer, *ANSWERED, "ratings", "passages"):
        return replace(answer, comment=comment)
    return Refusal(elsewhere(present, answer))


def decide_undo(seen_change: int | None, present: Present | None) -> Refusal | None:
    """Return why the assessor's judgment cannot be taken back; None if it can."""
    if present is None or not present.is_own:
        return NOTHING
    if seen_change not in {None, present.change}:
        return Refusal(f"{elsewhere(present)} So nothing was undone.")
    if present.answer.state == "reopened":
        return NOTHING
    return None


def _are_same(one: Answer, other: Answer, *names: str) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in names)


def elsewhere(present: Present, answer: Answer | None = None) -> str:
    """Say what was answered on another page: "You graded d1 elsewhere meanwhile: 2."."""
    there = present.answer
    if there.state == "reopened":
        return f"{there.docno} was reopened meanwhile."
    if there.grade is not None:
        sentence = f"You graded {there.docno} elsewhere meanwhile: {there.grade}."
    else:
        sentence = f"You answered {there.docno} elsewhere meanwhile: {present.label}."
    if answer and _are_same(answer, there, *ANSWERED):
        return f"{sentence} What you said beside it differs."
    return sentence
