"""An assessor's note on a topic, and notes as rows of a file."""

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
