"""Notes, questions and answers, and the rows of their files."""

from datetime import datetime
from typing import NamedTuple


class Note(NamedTuple):
    """How somebody reads a topic; `difficulty` is "easy", "middling", "hard" or ""."""

    text: str = ""
    difficulty: str = ""
    remark: str = ""


class NoteRecord(NamedTuple):
    """A note as it is now; the names are those of the columns."""

    topic: str
    assessor: str
    difficulty: str
    remark: str
    note: str
    version: int
    changed_at: datetime


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
