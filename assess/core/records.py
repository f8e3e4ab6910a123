"""Judgments and their events as rows of a file, from which grades, qrels and agreement can be computed again."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from sys import intern
from typing import Any, NamedTuple

from assess.core.rules import JudgmentRow, OfficialGrade, settled


class JudgmentRecord(NamedTuple):
    """A judgment as it is now, with the texts that its assessor saw; the names are those of the columns.

    `wanted` is how many judgments its document is to have, if its topic is shared, else None. `earlier` names what has another text
    now: "document", "topic" or "document topic". The times are those of all that its assessor did to it: their sum in
    milliseconds, when they first saw the document and when they last pressed a key for it.
    """

    topic: str
    docno: str
    judgment: int
    assignment: int
    assessor: str
    kind: str
    wanted: int | None
    state: str
    grade: int | None
    reason: str
    comment: str
    ratings: dict[str, int]
    passages: list[list[Any]]
    topic_version: int
    topic_sha256: str
    document_version: int
    document_sha256: str
    earlier: str
    active_ms: int
    away_ms: int
    first_viewed_at: datetime | None
    last_pressed_at: datetime | None
    change: int
    changed_at: datetime
    set_aside_at: datetime | None

    @property
    def row(self) -> JudgmentRow:
        """What the qrels rules read."""
        named = map(intern, (self.topic, self.docno, self.kind, self.state))
        topic, docno, kind, state = named
        return topic, docno, kind, state, self.grade, self.wanted


class EventRecord(NamedTuple):
    """A judgment event; `by` did it, an organizer where it was reopened for somebody to judge it again."""

    topic: str
    docno: str
    judgment: int
    assignment: int
    assessor: str
    kind: str
    by: str
    from_state: str
    from_grade: int | None
    to_state: str
    to_grade: int | None
    reason: str
    comment: str
    ratings: dict[str, int]
    passages: list[list[Any]]
    method: str
    active_ms: int
    away_ms: int
    first_viewed_at: datetime | None
    pressed_at: datetime
    topic_version: int
    topic_sha256: str
    document_version: int
    document_sha256: str
    change: int
    at: datetime


class RatingRecord(NamedTuple):
    """The answer to a criterion, of a judgment that counts and has a grade."""

    topic: str
    docno: str
    judgment: int
    assignment: int
    assessor: str
    kind: str
    grade: int
    criterion: str
    value: int
    label: str


class PassageRecord(NamedTuple):
    """A passage that was marked as evidence, of a judgment that counts and has a grade: `text` is the document's from `start` to `end`, in code points."""

    topic: str
    docno: str
    judgment: int
    assignment: int
    assessor: str
    kind: str
    grade: int
    start: int
    end: int
    text: str
    document_version: int
    document_sha256: str


class Basis:
    """What qrels rest on: the judgments that count, of assignments of these kinds, noted on their way into a file."""

    def __init__(self, kinds: Collection[str]) -> None:
        self.kinds = kinds
        self.rows: list[JudgmentRow] = []
        self._impossible = set[tuple[str, str]]()
        self._earlier = set[tuple[str, str]]()

    def through(self, records: Iterable[JudgmentRecord]) -> Iterator[JudgmentRecord]:
        """Yield every record, and note those that count."""
        for record in records:
            if record.set_aside_at is None and record.kind in self.kinds:
                self._note(record)
            yield record

    def _note(self, record: JudgmentRecord) -> None:
        row = record.row
        self.rows.append(row)
        if record.state == "cannot_judge" and record.kind == "primary":
            self._impossible.add(row[:2])
        elif record.state == "judged" and record.earlier:
            self._earlier.add(row[:2])

    def n_impossible(self, official: Iterable[OfficialGrade]) -> int:
        """Count the documents that could not be judged, without those that have an official grade."""
        shared = {pair for pair, (grades, _) in settled(self.rows).items() if not grades}
        impossible = self._impossible | shared
        return len(impossible.difference(grade[:2] for grade in official))

    def n_earlier(self, official: Iterable[OfficialGrade]) -> int:
        """Count the official grades that were given on an earlier text or statement."""
        return sum(grade[:2] in self._earlier for grade in official)
