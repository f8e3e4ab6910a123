"""Judgments and their events as rows of a file, enough to recompute qrels and agreement."""

from datetime import datetime
from sys import intern
from typing import Any, NamedTuple, Self

from assess.core.purposes import ADJUDICATION, INDEPENDENT, OFFICIAL, SHARED
from assess.core.rules import CARRIED, CORRECTION, DUPLICATE, EXISTING

# What is said of a grade that no judgment gave.
WHY_CARRIED = {EXISTING: "judged before", DUPLICATE: "the same text as {}", CORRECTION: "{}"}


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
    def carried(cls, topic: str, docno: str, grade: int, kind: str, why: str) -> Self:
        """Return a grade of no judgment: an existing one, a duplicate's, or a correction."""
        comment = WHY_CARRIED[kind].format(why)
        names, texts = ((topic, docno, None, None, "", kind, None)), (None, "", None, "", "")
        return cls(*names, "judged", grade, "", comment, {}, [], *texts, *[None] * 7)


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


class OfficialRecord(NamedTuple):
    """A grade that is official, or was until it ended.

    It is empty while the document officially cannot be judged; `by` is empty where several gave it,
    or nobody here. `why` is the reason of a correction.
    """

    topic: str
    docno: str
    criterion: str
    grade: int | None
    rule: str
    by: str | None
    why: str
    since: datetime
    until: datetime | None


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


class Given(NamedTuple):
    """An independent grade that counts; `is_earlier` if its text or statement was replaced."""

    topic: str
    docno: str
    assessor: str
    grade: int
    is_earlier: bool


class Basis:
    """The official grades of documents, collected while the judgments under them are written.

    `carried` names of each grade that no judgment gave the document with the same text, "" for
    existing ones. `given` has independent grades, if it is to keep them.
    """

    def __init__(self, *, keeps_given: bool = False) -> None:
        self.carried: dict[tuple[str, str], str] = {}
        self.given: list[Given] = []
        self.impossible = set[tuple[str, str]]()
        self._keeps_given = keeps_given
        self._grades: dict[tuple[str, str], int] = {}
        self._earlier = set[tuple[str, str]]()
        self.settled: dict[str, set[tuple[str, str]]] = {ADJUDICATION: set(), CORRECTION: set()}

    def note(self, record: JudgmentRecord, rule: str, grade: int | None) -> None:
        """Note a judgment of a document that has this official grade; None: it has none to give."""
        pair = intern(record.topic), intern(record.docno)
        if grade is None:
            self.impossible.add(pair)
            return
        self._grades[pair] = grade
        if rule in self.settled:
            self.settled[rule].add(pair)
        gave = rule != CORRECTION and record.kind == (rule if rule in OFFICIAL else SHARED)
        if gave and record.set_aside_at is None and record.state == "judged" and record.earlier:
            self._earlier.add(pair)

    def give(self, record: JudgmentRecord) -> None:
        """Keep a judgment of a document, if it is an independent grade that counts."""
        counts = record.kind in INDEPENDENT and record.set_aside_at is None
        if self._keeps_given and counts and record.grade is not None:
            topic, docno, who = map(intern, (record.topic, record.docno, record.assessor))
            self.given.append(Given(topic, docno, who, record.grade, bool(record.earlier)))

    def carry(
        self, topic: str, docno: str, grade: int, rule: str, why: str
    ) -> JudgmentRecord | None:
        """Note and return a grade of no judgment, after all judgments; None: it came after them.

        A duplicate has that of its original, named by `why`, as it was noted.
        """
        noted = self._grades.get((topic, why)) if rule == DUPLICATE else grade
        if noted is None:
            return None
        if rule in CARRIED:
            self.carried[topic, docno] = why if rule == DUPLICATE else ""
        if rule == CORRECTION:  # of an existing grade, too
            self.settled[rule].add((topic, docno))
        self._grades[topic, docno] = noted
        return JudgmentRecord.carried(topic, docno, noted, rule, why)

    @property
    def official(self) -> dict[str, dict[str, int]]:
        """The grades by topic and docno."""
        found: dict[str, dict[str, int]] = {}
        for (topic, docno), grade in self._grades.items():
            found.setdefault(topic, {})[docno] = grade
        return found

    @property
    def counts(self) -> dict[str, int]:
        """How many documents cannot be judged, and grades are on an earlier text or settled."""
        return {
            "n_cannot_judge": len(self.impossible),
            "n_earlier": len(self._earlier),
            "n_adjudicated": len(self.settled[ADJUDICATION]),
            "n_corrected": len(self.settled[CORRECTION]),
        }
