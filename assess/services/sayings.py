"""Answers in words."""

from assess.core.answers import Answer
from assess.models import Judgment
from campaigns.core.grades import Scale


def said(answer: Answer | Judgment, scale: Scale) -> str:
    """Return an answer in words: "grade 2, relevant", "later" or "cannot judge: it cannot be read"."""
    if answer.grade is not None:
        return f"grade {answer.grade}, {scale.label_of(answer.grade)}"
    state = Judgment.State(answer.state).label.lower()
    reason = answer.reason and Judgment.Reason(answer.reason).label
    return f"{state}: {reason}" if reason else state
