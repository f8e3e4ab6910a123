"""What an assessor answers to "how relevant is this document?", and how the answer was given."""

from dataclasses import dataclass, field
from uuid import UUID, uuid4


@dataclass(frozen=True)
class Answer:
    """A grade, *later*, or *cannot judge* with a reason. A comment of None keeps the one there is."""

    state: str
    grade: int | None = None
    reason: str = ""
    comment: str | None = None


@dataclass(frozen=True)
class Provenance:
    """How an answer was given. `client_id` names the event: a client that repeats it is answered, and nothing changes."""

    client_id: UUID = field(default_factory=uuid4)
    method: str = "other"
    active_ms: int = 0
    away_ms: int = 0
