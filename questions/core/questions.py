"""Questions to the organizers and their answers as rows of a file."""

from datetime import datetime
from typing import NamedTuple


class QuestionRecord(NamedTuple):
    """A question with one of its answers, if any; the names are those of the columns."""

    question: int
    topic: str
    docno: str
    asked_by: str
    asked_at: datetime
    text: str
    withdrawn_at: datetime | None
    answer: str
    audience: str
    answered_by: str
    answered_at: datetime | None
    replaced_at: datetime | None
