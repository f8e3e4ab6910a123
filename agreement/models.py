"""Answers to controls and the grades expected, for organizers; nothing official reads them."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - columns are read from the types of the record
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Case, F, OuterRef, Q, SmallIntegerField, Subquery, When
from django.db.models.functions import Coalesce

from agreement.core.accuracy import Compared
from assess.core.purposes import CONTROLS, COUNTING, KNOWN, REPEAT
from assess.models.controls import KnownGrade, known_grade
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accounts.models import User
    from campaigns.models.campaign import Campaign

# Rows fetched at once.
CHUNK = 2000


class ControlRecord(NamedTuple):
    """A judgment of a document whose grade is known, or that was shown again; a line of the file.

    `mixed_in` is 1 where the document was added to the assessor's own as a control, 0 where it was
    one of them. `expected` is the known grade as it is now, or the assessor's other grade of the
    document, None where there is none.
    """

    topic: str
    docno: str
    judgment: int
    assignment: int
    assessor: str
    kind: str
    mixed_in: int
    expected: int | None
    state: str
    grade: int | None
    topic_version: int
    document_version: int
    change: int
    changed_at: datetime
    set_aside_at: datetime | None


BEGIN = (
    "topic__number",
    "item__key",
    "pk",
    "assignment",
    "assessor__username",
    "purpose",
    "expected",
)
END = ControlRecord._fields[ControlRecord._fields.index("state") :]


def other_grade() -> Coalesce:
    """Return the column of the other grade that the assessor of a repeat gave the document.

    It is the grade at the moment when the repeat got its own, so that making the two alike later
    changes nothing; without one, the grade now. For rows annotated with `graded_change`.
    """
    same = {name: OuterRef(name) for name in ("assignment", "item", "assessor")}
    other = Judgment.objects.counting().current().filter(**same)
    of_judgment = {f"judgment__{name}": each for name, each in same.items()}
    events = JudgmentEvent.objects.filter(**of_judgment, judgment__set_aside_at=None)
    earlier = events.counting().filter(change__lt=OuterRef("graded_change"))
    before = earlier.order_by("-change")
    return Coalesce(Subquery(before.values("to_grade")[:1]), Subquery(other.values("grade")[:1]))


def graded_change() -> Subquery:
    """Return the column of the change that gave a judgment its current grade."""
    events = JudgmentEvent.objects.filter(judgment=OuterRef("pk"), to_grade__isnull=False)
    given = events.exclude(from_grade=F("to_grade")).order_by("-change")
    return Subquery(given.values("change")[:1])


def control_records(campaign: Campaign, assessor: User | None = None) -> Iterator[ControlRecord]:
    """Yield the judgments compared, those set aside too, in byte order of topic and docno.

    They are everybody's, or one assessor's.
    """
    judgments = Judgment.objects.served().filter(topic__campaign=campaign)
    judgments = judgments.filter(assessor=assessor) if assessor else judgments
    controls = judgments.controls().values("pk")
    # Each by an index of its own: of a million judgments most are neither.
    of_known = judgments.filter(item__in=KnownGrade.objects.controls_of(campaign).values("item"))
    is_known = Q(purpose=KNOWN) | Q(purpose__in=COUNTING, expected__isnull=False)
    of_repeat = When(purpose=REPEAT, then=other_grade())
    expected = Case(of_repeat, default=known_grade(), output_field=SmallIntegerField())
    rows = Judgment.objects.served().filter(pk__in=controls.union(of_known.values("pk")))
    rows = rows.annotate(graded_change=graded_change())
    rows = rows.annotate(expected=expected).filter(is_known | Q(purpose=REPEAT))
    rows = rows.order_by("topic__number", "item__key", "pk")
    for row in rows.values_list(*BEGIN, *END).iterator(CHUNK):
        *begin, purpose, expected = row[: len(BEGIN)]
        is_mixed_in = purpose in CONTROLS
        kind = (purpose if is_mixed_in else KNOWN, int(is_mixed_in), expected)
        yield ControlRecord._make((*begin, *kind, *row[len(BEGIN) :]))


def compared(campaign: Campaign, assessor: User | None = None) -> Iterator[Compared]:
    """Yield the grades that count, each with the one expected."""
    for each in control_records(campaign, assessor):
        if each.set_aside_at is None and each.grade is not None and each.expected is not None:
            yield Compared(
                each.topic,
                each.assessor,
                each.kind,
                each.expected,
                each.grade,
                each.judgment,
                each.changed_at,
            )
