"""Who judges which topic, and their progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import (
    Count,
    ExpressionWrapper,
    F,
    FilteredRelation,
    Max,
    Q,
    Sum,
)
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.functional import cached_property

from accounts.access import Refused
from accounts.models import User
from campaigns.models import Campaign, Topic
from pooling.models import Pool

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


DECIDED = F("n_judged") + F("n_cannot_judge")
# How far an assignment is, as lists are filtered.
PROGRESS = {
    "not begun": Q(taken_back_at__isnull=True, n_changes=0),
    "under way": Q(taken_back_at__isnull=True, n_changes__gt=0, n_entries__gt=DECIDED),
    "finished": Q(taken_back_at__isnull=True, n_entries=DECIDED),
    "taken back": Q(taken_back_at__isnull=False),
}

# Those that nobody else is needed for: somebody has it, or everything in it is decided.
PROVIDED_FOR = Q(taken_back_at__isnull=True) | Q(n_entries=DECIDED)
# The judgments that count and wait to be given again.
REOPENED = Q(judgments__state="reopened", judgments__set_aside_at=None)
# The judgments that count and were given by whoever had the assignment before.
BEFORE = Q(judgments__state__in=["judged", "cannot_judge"], judgments__set_aside_at=None) & ~Q(judgments__assessor=F("assessor"))  # fmt: skip


class Unfrozen(Refused):
    """Refused because the assignment is gone: nothing was judged in it when the pool was unfrozen."""

    def __init__(self) -> None:
        super().__init__("This topic is not assigned any more: the pool was unfrozen before anything was judged.")  # fmt: skip


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def primary(self) -> Self:
        return self.filter(kind=Assignment.Kind.PRIMARY)

    def live(self) -> Self:
        """Return the assignments that somebody has to judge now, without those taken back."""
        return self.filter(taken_back_at__isnull=True)

    def provided_for(self) -> Self:
        """Return those that nobody else is needed for: not those that were taken back with something left to judge."""
        return self.filter(PROVIDED_FOR)

    def n_official(self, campaign: Campaign) -> int:
        """Return how many official grades there are, also on topics that were taken back."""
        primary = self.primary().in_campaign(campaign)
        return primary.aggregate(n=Sum("n_judged"))["n"] or 0

    def n_official_by_topic(self, campaign: Campaign) -> dict[int, int]:
        """Return how many official grades each topic has, by its id."""
        primary = self.primary().filter(topic__campaign=campaign)
        return dict(primary.values_list("topic", "n_judged"))

    def on_record(self) -> Self:
        """Return what an organizer looks for: not those that were taken back before anything was judged in them."""
        return self.exclude(taken_back_at__isnull=False, n_changes=0)

    def matching(self, words: str, progress: str) -> Self:
        """Return the assignments with these words in topic or assessor, in a state of `PROGRESS`."""
        rows = self.filter(PROGRESS[progress]) if progress in PROGRESS else self
        for word in words.split():
            found = (
                Q(topic__number__iexact=word)
                | Q(topic__title__icontains=word)
                | Q(assessor__username__icontains=word)
                | Q(assessor__first_name__icontains=word)
                | Q(assessor__last_name__icontains=word)
            )
            rows = rows.filter(found)
        return rows

    def unfinished_first(self) -> Self:
        """Order them for who has to judge them: what is left comes first."""
        is_finished = ExpressionWrapper(Q(n_entries=DECIDED), models.BooleanField())
        return self.order_by(is_finished, "topic", "kind")

    def next_of(self, person: User, assignment: Assignment) -> Assignment | None:
        """Return the first of a person's other assignments in its campaign with something left to judge."""
        theirs = self.in_campaign(assignment.topic.campaign).filter(assessor=person)
        others = theirs.live().exclude(pk=assignment.pk).filter(n_entries__gt=DECIDED)
        return others.first()

    def unfinished(self) -> Self:
        return self.exclude(n_entries=DECIDED)

    def with_reopened(self) -> Self:
        """Annotate each with its `n_reopened`, which is otherwise a query of each."""
        return self.annotate(
            reopened=FilteredRelation("judgments", condition=REOPENED),
            n_reopened=Count("reopened"),
        )

    def n_topics_by_assessor(self) -> dict[int, int]:
        """Return how many of these each assessor has, by id."""
        rows = self.order_by().values_list("assessor")
        return dict(rows.annotate(n=Count("pk")))

    def totals(self) -> dict[int, dict[str, Any]]:
        """Return by assessor's id: topics, documents, judged, impossible to judge, `decided` (both), put off (`n_put_off`), reopened.

        Also how many of those decided others had judged before (`n_before`), how many are left as primary assessor, and
        when they were last given a topic.
        """
        rows = self.order_by().values("assessor")
        is_primary = Q(kind=Assignment.Kind.PRIMARY)
        summed = rows.annotate(
            n_topics=Count("pk"),
            n_documents=Sum("n_entries"),
            judged=Sum("n_judged"),
            impossible=Sum("n_cannot_judge"),
            decided=Sum(DECIDED),
            n_primary=Coalesce(Sum(F("n_entries") - DECIDED, filter=is_primary), 0),
            n_later=Sum("n_later"),
            given_at=Max("given_at"),
        )
        counted = self.order_by().filter(REOPENED).values_list("assessor")
        reopened = dict(counted.annotate(n=Count("judgments")))
        before = self.n_before()
        totals: dict[int, dict[str, Any]] = {row["assessor"]: {**row} for row in summed}
        for pk, total in totals.items():
            total["n_before"] = before.get(pk, 0)
            total["n_reopened"] = reopened.get(pk, 0)
            total["n_put_off"] = total["n_later"] - total["n_reopened"]
        return totals

    def n_before(self) -> dict[int, int]:
        """Return by assessor's id how many documents whoever had their assignments before has judged, where there are any."""
        rows = self.order_by().values_list("assessor")
        found = rows.annotate(n=Count("judgments", filter=BEFORE))
        return {assessor: n for assessor, n in found if n}

    def sizes(self) -> dict[str, int]:
        """Return how many documents there are, how many are judged, cannot be judged, and are still to be decided."""
        sums = self.order_by().aggregate(
            n_documents=Coalesce(Sum("n_entries"), 0),
            n_judged=Coalesce(Sum("n_judged"), 0),
            n_cannot_judge=Coalesce(Sum("n_cannot_judge"), 0),
        )
        n_decided = sums["n_judged"] + sums["n_cannot_judge"]
        return {**sums, "n_left": sums["n_documents"] - n_decided}

    def n_by_progress(self) -> dict[str, int]:
        """Return how many there are in each state of `PROGRESS`."""
        names = {name.replace(" ", "_"): name for name in PROGRESS}
        counts = {key: Count("pk", filter=PROGRESS[name]) for key, name in names.items()}  # fmt: skip
        found = self.order_by().aggregate(**counts)
        return {name: found[key] for key, name in names.items()}

    def done_by_kind(self) -> dict[str, int]:
        """Return how many official grades there are, and how many second opinions of those that are wanted."""
        primary, second = (Q(kind=kind) for kind in Assignment.Kind.values)
        return self.order_by().aggregate(
            n_official=Coalesce(Sum("n_judged", filter=primary), 0),
            n_impossible=Coalesce(Sum("n_cannot_judge", filter=primary), 0),
            n_second=Coalesce(Sum("n_judged", filter=second), 0),
            n_second_wanted=Coalesce(Sum("n_entries", filter=second & PROVIDED_FOR), 0),
        )

    def n_documents_by_assessor(self) -> Iterable[tuple[int, int]]:
        """Return how many documents each of the assessors has, by their ids."""
        return self.order_by().values_list("assessor").annotate(n=Sum("n_entries"))

    def changes(self, pool: Pool) -> dict[str, int]:
        """Return how many changes each topic's primary assignment has had, by topic number."""
        primary = self.primary().filter(pool=pool)
        return dict(primary.values_list("topic__number", "n_changes"))

    def in_campaign(self, campaign: Campaign) -> Self:
        rows = self.filter(topic__campaign=campaign).order_by("topic", "kind")
        return rows.select_related("topic", "assessor")


class Assignment(models.Model):
    """The work on a topic of whoever has it now; its entries are the documents, in the order served.

    It can pass from one assessor to another, and be taken back and wait for the next. Its judgments keep their authors, so
    that a topic has one primary assignment, whoever has worked on it, and the official grades are those of its entries.

    The counts are kept in the transaction of each judgment, so that showing progress costs the same for ten
    documents and for fifty thousand.
    """

    class Kind(models.TextChoices):
        """The primary assessor's grade is the official one; the second's serves to measure agreement."""

        PRIMARY = "primary"
        SECOND = "second"

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT)
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT)
    assessor = models.ForeignKey(User, on_delete=models.PROTECT)
    kind = models.CharField(max_length=7, choices=Kind.choices)
    seed = models.BigIntegerField(help_text="The order served was shuffled from it.")
    n_entries = models.PositiveIntegerField(default=0)
    n_judged = models.PositiveIntegerField(default=0)
    n_later = models.PositiveIntegerField(default=0)  # put off or reopened
    n_cannot_judge = models.PositiveIntegerField(default=0)
    n_changes = models.PositiveIntegerField(
        default=0,
        help_text="Number of changes of its judgments; a reader that has processed this many is up to date.",
    )
    taken_back_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Nobody judges it now: the assessor is the one who had it last.",
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    given_at = models.DateTimeField(
        default=timezone.now, help_text="When whoever has it now got it."
    )

    objects = AssignmentQuerySet.as_manager()

    roles: list[str]  # of the person that it is locked for

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "assessor"],
                condition=Q(taken_back_at__isnull=True),
                name="one_assignment_per_assessor_and_topic",
            ),
            # The qrels rule "primary assessor" needs one official grade per document; seconds may be many.
            # One that was taken back counts: the next primary assessor goes on with it.
            models.UniqueConstraint(
                fields=["topic"],
                condition=Q(kind="primary"),
                name="one_primary_assessor",
            ),
        ]

    def __str__(self) -> str:
        return f"topic {self.topic}, {self.assessor} ({self.kind})"

    @property
    def holder(self) -> int:
        """The id of the person who has it now, 0 for nobody: pages send it back, to notice that it has changed hands."""
        return 0 if self.taken_back_at else self.assessor_id

    def set_aside_groups(self) -> Iterable[tuple[datetime, int]]:
        """Return when judgments were set aside that could come back, and how many: their documents are open now."""
        open_docnos = self.entries.still_open().values("docno")
        aside = self.judgments.filter(set_aside_at__isnull=False, docno__in=open_docnos)
        counted = aside.order_by("-set_aside_at").values_list("set_aside_at")
        return counted.annotate(n=Count("pk"))

    @cached_property
    def n_reopened(self) -> int:
        """Documents to be judged again; `with_reopened` counts those of many assignments at once."""
        if not self.n_later:
            return 0
        return self.judgments.current().filter(state="reopened").count()

    @property
    def n_put_off(self) -> int:
        """Documents that the assessor wants to judge later, without those reopened."""
        return self.n_later - self.n_reopened

    @property
    def n_decided(self) -> int:
        return self.n_judged + self.n_cannot_judge

    @property
    def n_open(self) -> int:
        """Documents still to be decided, *later* ones included."""
        return self.n_entries - self.n_decided

    @property
    def is_finished(self) -> bool:
        return self.n_open == 0
