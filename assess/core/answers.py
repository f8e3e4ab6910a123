"""What an assessor answers of a document, and how the answer was given."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

from assess.core.passages import Passage, Quoted
from campaigns.core.criteria import GRADE
from cleverdon.trec.streams import storable

# The longest time ago that is believed: seventy years.
FARTHEST_MS = 2**41


@dataclass(frozen=True)
class Answer:
    """A grade, *later*, or *cannot judge* with a reason. What is left out keeps its earlier value.

    `answers` are those to criteria by their keys, the grade that to the first one; `passages` are
    the evidence marked in the text.
    """

    docno: str
    state: str
    answers: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    comment: str | None = None
    passages: tuple[Quoted | Passage, ...] | None = None

    @property
    def grade(self) -> int | None:
        return self.answers.get(GRADE)


def with_grade(grade: int | None, ratings: Mapping[str, int] | None = None) -> dict[str, int]:
    """Return the answers to all criteria: the grade, if there is one, and those beside it."""
    return {**({} if grade is None else {GRADE: grade}), **(ratings or {})}


def without_grade(answers: Mapping[str, int]) -> dict[str, int]:
    """Return the answers beside the grade, which page, API and files have as ratings."""
    return {name: value for name, value in answers.items() if name != GRADE}


@dataclass(frozen=True)
class Seen:
    """What the assessor had on the screen. None where the client does not say.

    `document_version` is 0 for a missing document, `scale` is `Campaign.asked_version`, `change`
    is `Judgment.change`, 0 for an unjudged document, and `opinions` the version of what assessors
    said of a document that is adjudicated.
    """

    document_version: int | None = None
    topic_version: int | None = None
    scale: str | None = None
    change: int | None = None
    opinions: str | None = None


@dataclass(frozen=True)
class Provenance:
    """How an event came about. The same `client_id` sent again changes nothing.

    Times are in milliseconds: those spent on the document since the act before it, how long
    before the act it was first on the screen (None if unknown), and how long before its
    arrival at the server the act was done.
    """

    client_id: UUID = field(default_factory=uuid4)
    method: str = "other"
    active_ms: int = 0
    away_ms: int = 0
    viewed_ms: int | None = None
    ago_ms: int = 0


class Act(NamedTuple):
    """An answer and how it was given; with `is_undo` the answer on its document is taken back.

    `after` is the client id of an earlier act on the same document, from a client that does not
    know yet which change it made. `number` is the place in the order served, as a document may
    come twice; None for its first place.
    """

    answer: Answer
    provenance: Provenance
    seen: Seen = Seen()
    after: UUID | None = None
    is_undo: bool = False
    number: int | None = None

    @property
    def docno(self) -> str:
        """The docno as the database can hold it."""
        return storable(self.answer.docno)


def earlier(act: Act, ms: int) -> Act:
    """Return an act moved into the past by the time that it waited in the browser."""
    provenance = replace(act.provenance, ago_ms=act.provenance.ago_ms + ms)
    return act._replace(provenance=provenance)


class Acted(NamedTuple):
    """When the document was first on the screen (None if unknown), and when the key was pressed."""

    first_viewed_at: datetime | None
    pressed_at: datetime


def acted(recorded_at: datetime, given_at: datetime, ago_ms: int, viewed_ms: int | None) -> Acted:
    """Return when an act was done: after its assignment was given, and before it was recorded.

    The clock of the client is not trusted, only how long ago it says that something was.

    >>> nine, ten = datetime(2026, 11, 22, 9), datetime(2026, 11, 22, 10)
    >>> viewed_at, pressed_at = acted(ten, nine, 60_000, 5_000)
    >>> f"{viewed_at:%X} {pressed_at:%X}"
    '09:58:55 09:59:00'
    >>> acted(ten, nine, 10**20, None)
    Acted(first_viewed_at=None, pressed_at=datetime.datetime(2026, 11, 22, 9, 0))
    """
    pressed_at = _before(recorded_at, given_at, ago_ms)
    if viewed_ms is None:
        return Acted(None, pressed_at)
    return Acted(_before(pressed_at, given_at, viewed_ms), pressed_at)


def _before(at: datetime, earliest: datetime, ms: int) -> datetime:
    """Return the moment this long before another, at the earliest `earliest`."""
    wanted = at - timedelta(milliseconds=min(max(ms, 0), FARTHEST_MS))
    return min(max(wanted, earliest), at)
