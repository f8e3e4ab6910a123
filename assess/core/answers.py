"""What an assessor answers to "how relevant is this document?", and how the answer was given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID, uuid4

from assess.core.passages import Passage, Quoted


@dataclass(frozen=True)
class Answer:
    """A grade, *later*, or *cannot judge* with a reason. A comment, ratings or passages of None keep those there are.

    `ratings` are answers to criteria by their names, `passages` what was marked as evidence.
    """

    docno: str
    state: str
    grade: int | None = None
    reason: str = ""
    comment: str | None = None
    ratings: Mapping[str, int] | None = None
    passages: tuple[Quoted | Passage, ...] | None = None


@dataclass(frozen=True)
class Seen:
    """What the assessor had before them. None where the client does not say.

    `document_version` is 0 if the document was missing, `scale` is `Campaign.asked_digest`, `change` is `Judgment.change`, 0 if the
    document was unjudged.
    """

    document_version: int | None = None
    topic_version: int | None = None
    scale: str | None = None
    change: int | None = None


@dataclass(frozen=True)
class Provenance:
    """How an event came about. Repeating a `client_id` gives the same reply and changes nothing.

    Times are in milliseconds: what was spent on the document since the act before it, how long before the act it first was
    on the screen (None where that is not known), and how long ago the act was when it reached the server.
    """

    client_id: UUID = field(default_factory=uuid4)
    method: str = "other"
    active_ms: int = 0
    away_ms: int = 0
    viewed_ms: int | None = None
    ago_ms: int = 0


class Act(NamedTuple):
    """An answer, how it was given and what it is about; with `is_undo` the assessor's answer on its document is taken back.

    `after` is the client id of an earlier act on the same document, for a client that does not know yet which change it made.
    `number` is its place in the order served: a document may come twice. None for the first place that it has.
    """

    answer: Answer
    provenance: Provenance
    seen: Seen = Seen()
    after: UUID | None = None
    is_undo: bool = False
    number: int | None = None
