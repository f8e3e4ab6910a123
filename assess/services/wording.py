"""Sentences about answers."""

from assess.core.answers import Answer
from assess.models.judging import Judgment


def elsewhere(judgment: Judgment, answer: Answer | None = None) -> str:
    """Say what was answered on another page: "You graded d1 elsewhere meanwhile: 2."."""
    docno, state = judgment.docno, judgment.get_state_display().lower()
    if judgment.state == Judgment.State.REOPENED:
        return f"{docno} was reopened meanwhile."
    if judgment.grade is not None:
        sentence = f"You graded {docno} elsewhere meanwhile: {judgment.grade}."
    else:
        reason = f", {judgment.get_reason_display()}" if judgment.reason else ""
        sentence = f"You answered {docno} elsewhere meanwhile: {state}{reason}."
    mine = answer and (answer.state, answer.grade, answer.reason)
    if mine == (judgment.state, judgment.grade, judgment.reason):
        return f"{sentence} What you said beside it differs."
    return sentence
