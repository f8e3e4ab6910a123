"""Who judges which topic, and their progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Count, Q, Sum
from django.utils import timezone
from django.utils.functional import cached_property

from accounts.access import Refused
from accounts.models import User
from accounts.public_id import a_public_id
from assess.core import purposes
from assess.models.sharing import SharedDocument, SharedQueue
from assess.models.totals import PROVIDED_FOR, SERVED, AssignmentTotals
from collection.models.texts import Topic
from pooling.models.pools import Pool

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from campaigns.models.campaign import Campaign


class Unfrozen(Refused):
    def __init__(self) -> None:
        super().__init__(
            "This topic is not assigned any more: "
            "the pool was unfrozen, or the rehearsal was thrown away."
        )


class AssignmentQuerySet(AssignmentTotals):
    def counting(self) -> Self:
        """Return those whose judgments count: all but practice."""
        return self.filter(kind__in=purposes.COUNTING)

    def lock(self) -> None:
        """Lock these in the order that everybody uses: acts in them wait."""
        rows = self.order_by("pk").select_for_update(of=("self",), no_key=True)
        list(rows.values_list("pk"))

    def practice(self) -> Self:
        return self.filter(kind=purposes.PRACTICE)

    def primary(self) -> Self:
        return self.filter(kind=Assignment.Kind.PRIMARY)

    def unbegun(self) -> Self:
        """Return those that are not started yet, except those of shared topics."""
        return self.dealt().live().filter(n_changes=0)

    def dealt(self) -> Self:
        """Return the assignments of topics that are not shared."""
        return self.filter(kind__in=Assignment.DEALT_KINDS)

    def live(self) -> Self:
        """Return the assignments that somebody has now, without those taken back."""
        return self.filter(taken_back_at__isnull=True)

    def who_give(self, queue: SharedQueue) -> Self:
        """Return those of a shared topic's group, and of former members who have judged in it."""
        return self.filter(Q(taken_back_at=None) | Q(n_changes__gt=0), queue=queue)

    def provided_for(self) -> Self:
        """Return those that are covered: held by somebody, or finished and taken back."""
        return self.filter(PROVIDED_FOR)

    def going_on(self, topics: Collection[int]) -> dict[int, Assignment]:
        """Return by topic id the oldest second one that waits and was begun."""
        begun = self.waiting().filter(topic__in=topics, n_changes__gt=0)
        return {each.topic_id: each for each in begun.order_by("-pk")}

    def n_official(self, campaign: Campaign) -> int:
        return sum(self.n_official_by_topic(campaign).values())

    def n_official_by_topic(self, campaign: Campaign) -> dict[int, int]:
        """Return how many official grades each topic has, by its id."""
        primary = self.primary().filter(topic__campaign=campaign)
        shared = SharedDocument.objects.n_graded_by_topic(campaign)
        return {**dict(primary.values_list("topic", "n_judged")), **shared}

    def on_record(self) -> Self:
        """Return the assignments without those taken back before any judgment, but second ones."""
        return self.exclude(~Q(kind=purposes.SECOND), taken_back_at__isnull=False, n_changes=0)

    def waiting(self) -> Self:
        """Return second ones that nobody has, with documents left that were not given up."""
        return self.filter(
            kind=purposes.SECOND, taken_back_at__isnull=False, given_up_at=None
        ).unfinished()

    def next_of(self, person: User, assignment: Assignment) -> Assignment | None:
        own = self.in_campaign(assignment.topic.campaign).filter(assessor=person)
        return own.live().exclude(pk=assignment.pk).filter(SERVED.has_left).first()

    def changes(self, pool: Pool) -> dict[str, int]:
        """Return by topic number how many changes its official assignments have had."""
        official = self.filter(pool=pool, kind__in=purposes.OFFICIAL)
        rows = official.order_by().values_list("topic__number")
        return dict(rows.annotate(n=Sum("n_changes")))

    def in_campaign(self, campaign: Campaign) -> Self:
        rows = self.counting().filter(topic__campaign=campaign).order_by("topic", "kind", "pk")
        return rows.select_related("topic", "assessor")


class Assignment(models.Model):
    """The work of an assessor on a topic; its entries are the documents, in the order served.

    It can pass to another assessor, and be taken back and wait for the next. Its judgments keep
    their authors, so that a topic has one primary assignment, whoever worked on it, and the
    official grades are those of its entries.

    The counts are kept in the transaction of each judgment, so that progress costs the same
    for ten documents and for fifty thousand.
    """

    class Kind(models.TextChoices):
        """The primary assessor's grade is the official one; the second's measures agreement.

        The assessors of a shared topic are of equal rank, and lease documents from its queue. An
        adjudicator decides where they differ, and sees what they said.
        """

        PRIMARY = purposes.PRIMARY
        SECOND = purposes.SECOND
        SHARED = purposes.SHARED
        ADJUDICATION = purposes.ADJUDICATION
        PRACTICE = purposes.PRACTICE

    # The kinds that a topic is assigned as.
    DEALT_KINDS = (Kind.PRIMARY, Kind.SECOND)

    public_id = a_public_id()
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT)
    pool = models.ForeignKey(
        Pool, on_delete=models.PROTECT, null=True, help_text="None for practice."
    )
    assessor = models.ForeignKey(User, on_delete=models.PROTECT)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    queue = models.ForeignKey(
        SharedQueue, on_delete=models.PROTECT, null=True, blank=True, related_name="assignments"
    )
    seed = models.BigIntegerField(help_text="The order served was shuffled from it.")
    least_steps = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="Of adjudication: how many steps of the scale apart the grades are at least.",
    )
    n_entries = models.PositiveIntegerField(default=0)  # without those given up
    n_judged = models.PositiveIntegerField(default=0)
    n_later = models.PositiveIntegerField(default=0)  # put off or reopened
    n_cannot_judge = models.PositiveIntegerField(default=0)
    n_changes = models.PositiveIntegerField(
        default=0,
        help_text="Number of changes of its judgments, for readers that keep up with them.",
    )
    taken_back_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Nobody judges it now: the assessor is the one who had it last.",
    )
    given_up_at = models.DateTimeField(
        null=True, blank=True, help_text="A second one that nobody is to judge any more."
    )
    given_up_why = models.TextField(
        blank=True, db_default="", help_text="In the words of who gave it up."
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    given_at = models.DateTimeField(
        default=timezone.now, help_text="When its present assessor got it."
    )

    objects = AssignmentQuerySet.as_manager()

    roles: list[str]  # of the person that it is locked for
    n_served: int  # places in its list when it was locked, controls and what was given up included
    counts_controls = False  # whether the counts include the controls: only in `as_served`

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "assessor"],
                condition=Q(taken_back_at__isnull=True),
                name="one_assignment_per_assessor_and_topic",
            ),
            # The qrels rule "primary assessor" needs one official grade per document. One that was
            # taken back counts: the next primary assessor continues it.
            models.UniqueConstraint(
                fields=["topic"], condition=Q(kind="primary"), name="one_primary_assessor"
            ),
            # Nor are there two who decide the same document: the next adjudicator continues it.
            models.UniqueConstraint(
                fields=["topic"], condition=Q(kind=purposes.ADJUDICATION), name="one_adjudicator"
            ),
            models.CheckConstraint(
                condition=Q(
                    kind=purposes.ADJUDICATION, least_steps__isnull=False, least_steps__gt=0
                )
                | (~Q(kind=purposes.ADJUDICATION) & Q(least_steps=None)),
                name="adjudication_has_a_distance",
            ),
            models.CheckConstraint(
                condition=Q(given_up_at=None, given_up_why="")
                | (
                    Q(kind=purposes.SECOND, taken_back_at__isnull=False, given_up_at__isnull=False)
                    & ~Q(given_up_why="")
                ),
                name="given_up_for_a_reason",
            ),
            # A member who leaves a shared queue and comes back continues theirs.
            models.UniqueConstraint(fields=["queue", "assessor"], name="one_assignment_of_a_queue"),
            models.CheckConstraint(
                condition=Q(kind=purposes.SHARED, queue__isnull=False)
                | (~Q(kind=purposes.SHARED) & Q(queue__isnull=True)),
                name="shared_means_of_a_queue",
            ),
            models.CheckConstraint(
                condition=Q(kind=purposes.PRACTICE, pool=None)
                | (~Q(kind=purposes.PRACTICE) & Q(pool__isnull=False)),
                name="practice_is_of_no_pool",
            ),
        ]

    def __str__(self) -> str:
        return f"topic {self.topic}, {self.assessor} ({self.kind})"

    @cached_property
    def names_nothing_ahead(self) -> bool:
        """Whether a list names documents only once they are judged, so as to hide repeats.

        All topics of a campaign with controls do so, to hide which have some.
        """
        campaign = self.topic.campaign
        if campaign.known_percent or campaign.repeat_percent:
            return True
        return self.entries.model.objects.controls_of(campaign).exists()

    @cached_property
    def n_controls(self) -> int:
        return self.entries.controls().count()

    @property
    def has_only_controls(self) -> bool:
        """Whether controls were answered, and none of the documents that count."""
        is_begun = self.n_decided or self.n_later
        return not is_begun and self.judgments.current().exists()

    @property
    def holder(self) -> int:
        """The id of the present assessor, 0 for nobody: pages send it back to notice a change."""
        return 0 if self.taken_back_at else self.assessor_id

    @property
    def has_left_group(self) -> bool:
        """Whether its assessor has left a shared topic: others can get what is undecided."""
        return bool(self.is_shared and self.taken_back_at)

    def set_aside_groups(self) -> Iterable[tuple[datetime, int]]:
        """Return when judgments were set aside whose documents are open now, and how many."""
        still_open = self.entries.counting().to_be_judged().values("item")
        aside = self.judgments.filter(
            purpose=self.kind, set_aside_at__isnull=False, item__in=still_open
        )
        if self.has_left_group:
            aside = aside.decided()
        counted = aside.order_by("-set_aside_at").values_list("set_aside_at")
        return counted.annotate(n=Count("pk"))

    @cached_property
    def n_reopened(self) -> int:
        """Documents to be judged again; see `with_reopened`."""
        if not self.n_later:
            return 0
        counts_all = self.counts_controls or self.is_practice
        judgments = self.judgments.all() if counts_all else self.judgments.counting()
        return judgments.current().filter(state="reopened").count()

    @property
    def n_put_off(self) -> int:
        """Documents that the assessor wants to judge later, without those reopened."""
        return self.n_later - self.n_reopened

    @property
    def n_decided(self) -> int:
        return self.n_judged + self.n_cannot_judge

    @property
    def n_open(self) -> int:
        return self.n_entries - self.n_decided

    @cached_property
    def n_left(self) -> int:
        """Documents that its assessor can still judge; see `with_left`."""
        if not self.is_shared:
            return self.n_open
        return Assignment.objects.counting().with_left().get(pk=self.pk).n_left

    @property
    def n_expected(self) -> int:
        """How many documents it has; of a shared topic, as if nobody else judged it from now on."""
        return self.n_decided + self.n_left if self.is_shared else self.n_entries

    @property
    def is_shared(self) -> bool:
        return self.kind == Assignment.Kind.SHARED

    @property
    def is_adjudication(self) -> bool:
        return self.kind == Assignment.Kind.ADJUDICATION

    @property
    def waits(self) -> bool:
        """Whether it is one of those `waiting`."""
        is_second = self.kind == Assignment.Kind.SECOND
        return bool(is_second and self.taken_back_at and not self.given_up_at and self.n_open)

    @property
    def is_practice(self) -> bool:
        return self.kind == Assignment.Kind.PRACTICE

    @property
    def is_official(self) -> bool:
        return self.kind in purposes.OFFICIAL

    @property
    def is_finished(self) -> bool:
        return self.n_left == 0
