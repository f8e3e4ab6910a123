"""Judging: who judges which topic, in which order, what they said, and what was published of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string

from campaigns.models import Campaign, Topic, User
from pooling.models import Pool

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def of(self, assessor: User) -> Self:
        return (
            self.filter(assessor=assessor)
            .select_related("topic", "topic__campaign")
            .order_by("topic__number")
        )

    def locked(self, pk: int) -> Assignment:
        """Return an assignment that nobody else can judge in until the transaction ends."""
        return (
            self.select_for_update(of=("self",))
            .select_related("topic__campaign")
            .get(pk=pk)
        )

    def changes(self, pool: Pool) -> dict[str, int]:
        """Return how many acts each topic's primary assessor has done."""
        primary = self.filter(pool=pool, kind=Assignment.Kind.PRIMARY)
        return dict(primary.values_list("topic__number", "n_changes"))

    def in_campaign(self, campaign: Campaign) -> Self:
        return (
            self.filter(topic__campaign=campaign)
            .select_related("topic", "assessor")
            .order_by("topic__number", "kind")
        )


class Assignment(models.Model):
    """An assessor's work on a topic. The order served is stored, entry by entry, and never changes.

    The counts are kept in the transaction of each judgment, so that showing progress costs the same for ten
    documents and for fifty thousand.
    """

    class Kind(models.TextChoices):
        """Whose grade is the official one (primary), and whose measures agreement (second)."""

        PRIMARY = "primary"
        SECOND = "second"

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT)
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT)
    assessor = models.ForeignKey(User, on_delete=models.PROTECT)
    kind = models.CharField(max_length=7, choices=Kind.choices)
    seed = models.BigIntegerField(help_text="The order served was shuffled from it.")
    n_entries = models.PositiveIntegerField(default=0)
    n_judged = models.PositiveIntegerField(default=0)
    n_later = models.PositiveIntegerField(default=0)
    n_cannot_judge = models.PositiveIntegerField(default=0)
    n_changes = models.PositiveIntegerField(
        default=0, help_text="Acts so far: who has seen as many has seen all."
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "assessor"],
                name="one_assignment_per_assessor_and_topic",
            ),
            models.UniqueConstraint(
                fields=["topic"],
                condition=Q(kind="primary"),
                name="one_primary_assessor",
            ),
        ]

    def __str__(self) -> str:
        return f"topic {self.topic}, {self.assessor} ({self.kind})"

    @property
    def n_open(self) -> int:
        """Documents still to be decided, *later* ones included."""
        return self.n_entries - self.n_decided

    @property
    def n_decided(self) -> int:
        return self.n_judged + self.n_cannot_judge

    @property
    def is_finished(self) -> bool:
        return self.n_open == 0


class AssignmentEntryQuerySet(models.QuerySet["AssignmentEntry"]):
    def next_open(self, after: int = -1) -> AssignmentEntry | None:
        """Return the first untouched document after a position, or from the top, or else one put off."""
        untouched = self.filter(judgment__isnull=True).order_by("position")
        put_off = self.filter(judgment__state__in=Judgment.OPEN_STATES).order_by(
            "judgment__changed_at"
        )
        return (
            untouched.filter(position__gt=after).first()
            or untouched.first()
            or put_off.first()
        )

    def decided_last(self) -> AssignmentEntry | None:
        """Return the entry whose judgment was changed last, of those that were not reopened since."""
        decided = [
            state for state in Judgment.State if state != Judgment.State.REOPENED
        ]
        found = self.filter(judgment__state__in=decided)
        return found.order_by("-judgment__changed_at").first()


class AssignmentEntry(models.Model):
    """One document at its place in the order served; no judgment means unjudged."""

    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="entries"
    )
    position = models.PositiveIntegerField()
    docno = models.CharField(max_length=255, db_collation="C")
    judgment = models.OneToOneField(
        "Judgment", on_delete=models.PROTECT, null=True, related_name="entry"
    )

    objects = AssignmentEntryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "position"], name="one_document_per_position"
            ),
            models.UniqueConstraint(fields=["assignment", "docno"], name="served_once"),
        ]
        indexes = [
            models.Index(
                fields=["assignment", "position"],
                condition=Q(judgment__isnull=True),
                name="unjudged_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment}: {self.docno} at {self.position + 1}"

    @property
    def state(self) -> str:
        return self.judgment.state if self.judgment else "unjudged"

    @property
    def place(self) -> int:
        """The position, counted from 1 as people do."""
        return self.position + 1

    @property
    def previous_place(self) -> int:
        return self.position

    @property
    def next_place(self) -> int:
        return self.position + 2


class JudgmentQuerySet(models.QuerySet["Judgment"]):
    def graded(self) -> Self:
        return self.filter(state=Judgment.State.JUDGED)

    def for_qrels(
        self, campaign: Campaign
    ) -> Iterable[tuple[str, str, str, str, int | None]]:
        """Return (topic, docno, kind of assignment, state, grade) of every judgment, as the qrels rules read them."""
        judgments = self.filter(topic__campaign=campaign)
        return judgments.values_list(
            "topic__number", "docno", "assignment__kind", "state", "grade"
        )

    def official(self, pool: Pool, topics: Iterable[str]) -> dict[str, dict[str, int]]:
        """Return the primary assessors' grades by topic and docno, of these topics."""
        found: dict[str, dict[str, int]] = {}
        judgments = self.graded().filter(
            topic__campaign=pool.campaign_id,
            topic__number__in=list(topics),
            assignment__kind=Assignment.Kind.PRIMARY,
        )
        for topic, docno, grade in judgments.values_list(
            "topic__number", "docno", "grade"
        ):
            found.setdefault(topic, {})[docno] = cast("int", grade)
        return found

    def twice_judged(
        self, campaign: Campaign
    ) -> Iterable[tuple[str, str, str, int, str, int]]:
        """Return (topic, docno, primary, grade, second, grade) for documents graded by both."""
        seconds = self.graded().filter(
            topic__campaign=campaign, assignment__kind=Assignment.Kind.SECOND
        )
        primary = Judgment.objects.graded().filter(
            topic=models.OuterRef("topic"),
            docno=models.OuterRef("docno"),
            assignment__kind=Assignment.Kind.PRIMARY,
        )
        annotated = (
            seconds.annotate(
                primary_grade=models.Subquery(primary.values("grade")[:1]),
                primary_name=models.Subquery(primary.values("assessor__username")[:1]),
            )
            .exclude(primary_grade=None)
            .order_by("topic__number", "docno")
        )
        names = ["topic__number", "docno", "primary_name", "primary_grade"]
        rows = annotated.values_list(*names, "assessor__username", "grade")
        return cast("Iterable[tuple[str, str, str, int, str, int]]", rows)


class Judgment(models.Model):
    """What an assessor says of a document for a topic, as it stands now; the events keep how it came about."""

    class State(models.TextChoices):
        """Where a judgment stands; stored as written here. Unjudged is having no judgment."""

        JUDGED = "judged"
        LATER = "later"
        CANNOT_JUDGE = "cannot_judge", "cannot judge"
        REOPENED = "reopened"

    class Reason(models.TextChoices):
        """Why a document cannot be judged; stored as written here."""

        MISSING = "missing", "the document is missing"
        UNREADABLE = "unreadable", "it cannot be read"
        LANGUAGE = "language", "it is in a language I do not read"
        OTHER = "other", "another reason"

    OPEN_STATES = (State.LATER, State.REOPENED)

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT)
    docno = models.CharField(max_length=255, db_collation="C")
    assessor = models.ForeignKey(User, on_delete=models.PROTECT)
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, related_name="judgments"
    )
    state = models.CharField(max_length=12, choices=State.choices)
    grade = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=10, choices=Reason.choices, blank=True)
    comment = models.TextField(blank=True)
    changed_at = models.DateTimeField(default=timezone.now)

    objects = JudgmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "docno", "assessor"], name="one_judgment_per_assessor"
            ),
            models.CheckConstraint(
                condition=Q(state="judged", grade__isnull=False)
                | (~Q(state="judged") & Q(grade__isnull=True)),
                name="judged_means_graded",
            ),
            models.CheckConstraint(
                condition=(Q(state="cannot_judge") & ~Q(reason=""))
                | (~Q(state="cannot_judge") & Q(reason="")),
                name="cannot_judge_has_a_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["assignment", "-changed_at"], name="changed_last"),
            models.Index(
                fields=["assignment", "changed_at"],
                condition=Q(state__in=["later", "reopened"]),
                name="put_off",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno} by {self.assessor}: {self.grade if self.grade is not None else self.state}"


class JudgmentEventQuerySet(models.QuerySet["JudgmentEvent"]):
    def told(self, assignment: Assignment, client_id: UUID) -> JudgmentEvent | None:
        """Return the act that a client has told before."""
        found = self.filter(assignment=assignment, client_id=client_id)
        return found.select_related("judgment__entry").first()


class JudgmentEvent(models.Model):
    """One act of an assessor; append-only. `client_id`, made in the browser, lets it happen only once."""

    class Method(models.TextChoices):
        """How it was done; stored as written here."""

        KEY = "key"
        CLICK = "click"
        OTHER = "other"

    judgment = models.ForeignKey(
        Judgment, on_delete=models.PROTECT, related_name="events"
    )
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, related_name="events"
    )
    client_id = models.UUIDField(unique=True)
    from_state = models.CharField(max_length=12)
    from_grade = models.PositiveSmallIntegerField(null=True)
    to_state = models.CharField(max_length=12)
    to_grade = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=10, blank=True)
    method = models.CharField(
        max_length=5, choices=Method.choices, default=Method.OTHER
    )
    active_ms = models.PositiveIntegerField(
        default=0, help_text="Time the page was in view."
    )
    away_ms = models.PositiveIntegerField(default=0, help_text="Time it was not.")
    at = models.DateTimeField(default=timezone.now)

    objects = JudgmentEventQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["assignment", "-id"], name="events_newest_first")
        ]

    def __str__(self) -> str:
        return f"{self.judgment}: {self.from_state} → {self.to_state}"


def qrels_path(qrels: Qrels, _: str) -> str:
    return f"qrels/{qrels.campaign_id}/{get_random_string(12)}/qrels.{qrels.number}.txt"


class Qrels(models.Model):
    """The published judgments, one grade per (topic, docno): a numbered file that never changes."""

    class Rule(models.TextChoices):
        """How several judgments become one grade; stored as written here."""

        PRIMARY = "primary", "primary assessor"

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT)
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()
    rule = models.CharField(max_length=10, choices=Rule.choices, default=Rule.PRIMARY)
    level = models.PositiveSmallIntegerField()
    file = models.FileField(upload_to=qrels_path, max_length=200)
    sha256 = models.CharField(max_length=64)
    n_topics = models.PositiveIntegerField()
    n_judgments = models.PositiveIntegerField()
    n_relevant = models.PositiveIntegerField()
    n_unjudged = models.PositiveIntegerField(
        help_text="Pool entries without an official grade when published."
    )
    published_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "number"], name="one_qrels_per_number"
            )
        ]

    def __str__(self) -> str:
        return f"qrels v{self.number}"
