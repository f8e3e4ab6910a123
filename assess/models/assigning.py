"""Who judges which topic, and in which order the documents are served."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from campaigns.models import Campaign, Topic
from pooling.models import Pool


class JudgmentState(models.TextChoices):
    """Where a judgment stands; stored as written here. Unjudged is having no judgment."""

    JUDGED = "judged"
    LATER = "later"
    CANNOT_JUDGE = "cannot_judge", "cannot judge"
    REOPENED = "reopened"

    @classmethod
    def open_states(cls) -> list[JudgmentState]:
        """Return the states of a judgment that is still to be decided."""
        return [cls.LATER, cls.REOPENED]


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
        put_off = self.filter(judgment__state__in=JudgmentState.open_states())
        put_off = put_off.order_by("judgment__changed_at")
        return (
            untouched.filter(position__gt=after).first()
            or untouched.first()
            or put_off.first()
        )

    def decided_last(self) -> AssignmentEntry | None:
        """Return the entry whose judgment was changed last, of those that were not reopened since."""
        found = self.filter(judgment__isnull=False)
        found = found.exclude(judgment__state=JudgmentState.REOPENED)
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
