"""Judgments and their events as rows of a file, enough to recompute qrels and agreement."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from sys import intern
from typing import Any, NamedTuple, Self

from assess.core.rules import DUPLICATE, EXISTING, JudgmentRow, OfficialGrade, settled


class JudgmentRecord(NamedTuple):
    """A judgment as it is now, and the texts that its assessor saw; names are those of columns.

    `wanted` is how many judgments a document of a shared topic is to have, else None. `earlier`
    names what has another text now: "document", "topic" or "document topic". The times cover all
    that the assessor did: sums in milliseconds, the first view and the last key.
    """

    topic: str
    docno: str
    judgment: int | None
    assignment: int | None
    assessor: str
    kind: str
    wanted: int | None
    state: str
    grade: int | None
    reason: str
    comment: str
    ratings: dict[str, int]
    passages: list[list[Any]]
    topic_version: int | None
    topic_sha256: str
    document_version: int | None
    document_sha256: str
    earlier: str
    active_ms: int | None
    away_ms: int | None
    first_viewed_at: datetime | None
    last_pressed_at: datetime | None
    change: int | None
    changed_at: datetime | None
    set_aside_at: datetime | None

    @classmethod
    def carried(cls, topic: str, docno: str, grade: int, same_as: str = "") -> Self:
        """Return an existing grade or, of a duplicate, that of the document with the same text."""
        kind = DUPLICATE if same_as else EXISTING
        comment = f"the same text as {same_as}" if same_as else "judged before"
        names, texts = ((topic, docno, None, None, "", kind, None)), (None, "", None, "", "")
        return cls(*names, "judged", grade, "", comment, {}, [], *texts, *[None] * 7)

    @property
    def row(self) -> JudgmentRow:
        named = map(intern, (self.topic, self.docno, self.kind, self.state))
        topic, docno, kind, state = named
        return topic, docno, kind, state, self.grade, self.wanted


class JudgmentEventRecord(NamedTuple):
    """A judgment event; `by` is the assessor, or the organizer who reopened it."""

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
    """The answer to a criterion in a judgment that counts and has a grade."""

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
    """A passage marked as evidence in a judgment that counts and has a grade.

    `text` is the document's from `start` to `end`, in code points.
    """

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
    """What qrels rest on: the judgments of these kinds that count, collected while written."""

    def __init__(self, kinds: Collection[str]) -> None:
        self.kinds = kinds
        self.rows: list[JudgmentRow] = []
        self._impossible = set[tuple[str, str]]()
        self._earlier = set[tuple[str, str]]()

    def through(self, records: Iterable[JudgmentRecord]) -> Iterator[JudgmentRecord]:
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
        """Count the documents that could not be judged and have no official grade."""
        shared = {pair for pair, (grades, _) in settled(self.rows).items() if not grades}
        impossible = self._impossible | shared
        return len(impossible.difference(grade[:2] for grade in official))

    def n_earlier(self, official: Iterable[OfficialGrade]) -> int:
        return sum(grade[:2] in self._earlier for grade in official)
