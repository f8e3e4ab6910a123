"""Pools: for each topic the documents to judge, and which runs have them at which ranks."""

import hashlib
from collections.abc import Sequence
from typing import Self

import numpy as np
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import natural
from collection.models.items import DOCUMENT, Item, Keyed
from collection.models.texts import Topic
from jobs.models import StateQuerySet
from pooling.core.lifecycle import POOL_TRANSITIONS
from pooling.core.statistics import PoolSizes, shares
from pooling.core.strategies import DEPTH, STRATEGIES
from runs.models import Run
from trec.arrays import Floats
from trec.words import counted

MAX_DEPTH = DEPTH.parameters[0].most
KEPT = "SELECT * FROM pooling_pool WHERE campaign_id = %s AND state = 'frozen' FOR KEY SHARE"


class PoolQuerySet(StateQuerySet["Pool"]):
    transitions = POOL_TRANSITIONS

    def frozen_of(self, campaign: Campaign) -> "Pool | None":
        return self.filter(campaign=campaign, state=Pool.State.FROZEN).first()

    def kept(self, campaign_id: int) -> "Pool | None":
        """Return the campaign's frozen pool, locked against deletion by others."""
        return next(iter(self.raw(KEPT, [campaign_id])), None)

    def current_of(self, campaign: Campaign) -> "Pool | None":
        """Return the frozen pool, or else the newest one."""
        newest = self.filter(campaign=campaign).order_by("-pk")
        return self.frozen_of(campaign) or newest.first()

    def for_summary(self) -> Self:
        rows = self.select_related("created_by", "frozen_by")
        runs = Contributor.objects.in_order().defer("run__report", "run__description")
        return rows.prefetch_related(models.Prefetch("contributors", runs))


class Pool(models.Model):
    """The documents to judge, and how to build them again. Once frozen it never changes."""

    class State(models.TextChoices):
        BUILDING = "building"
        FAILED = "failed"
        BUILT = "built"
        FROZEN = "frozen"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    strategy = models.CharField(max_length=20)
    parameters = models.JSONField(default=dict, help_text="Of the strategy, by name.")
    second_percent = models.PositiveSmallIntegerField(
        "judged twice, in percent",
        default=0,
        help_text="As planned when the pool was formed; it counts in the hours.",
    )
    seed = models.BigIntegerField(help_text="The orders served to assessors are derived from it.")
    order_rule = models.CharField("tie rule", max_length=20, default="trec_eval-9")
    state = models.CharField(max_length=8, choices=State.choices, default=State.BUILDING)
    n_entries = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    frozen_at = models.DateTimeField(null=True, blank=True)
    frozen_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    objects = PoolQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(state="frozen"), name="one_frozen_pool"
            ),
            models.UniqueConstraint(
                fields=["campaign"], condition=~Q(state="frozen"), name="one_pool_in_the_making"
            ),
        ]

    def __str__(self) -> str:
        return STRATEGIES[self.strategy].label(**self.parameters)

    @property
    def rule(self) -> str:
        """Which documents it has, as a sentence without its end."""
        return STRATEGIES[self.strategy].rule(**self.parameters)


class ContributorQuerySet(models.QuerySet["Contributor"]):
    def no_longer_valid(self) -> Self:
        """Return those whose run has become invalid, withdrawn or disqualified."""
        return self.in_order().exclude(run__state=Run.State.VALID)

    def in_order(self) -> Self:
        return self.select_related("run__team", "run__campaign").order_by(natural("run__tag"), "pk")


def shares_of(contributors: Sequence["Contributor"]) -> Floats:
    """Return `shares` of these contributors: shape [n_runs, n_runs]."""
    keys = [str(each.run_id) for each in contributors]
    counts = [each.n_contributed for each in contributors]
    common = [
        [each.n_contributed if key == own else each.shared.get(key, 0) for key in keys]
        for own, each in zip(keys, contributors, strict=True)
    ]
    return shares(counts, common)


class Contributor(models.Model):
    """A run that contributes to a pool, with the hash of its file."""

    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="contributors")
    run = models.ForeignKey(Run, on_delete=models.PROTECT)
    run_sha256 = models.CharField(max_length=64)
    n_contributed = models.PositiveIntegerField(default=0)
    n_unique = models.PositiveIntegerField(
        default=0, help_text="Documents that no other contributing run has."
    )
    shared = models.JSONField(
        default=dict, help_text="Documents in common with each other contributing run, by its id."
    )

    objects = ContributorQuerySet.as_manager()

    class Meta:
        ordering = ["run__tag"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "run"], name="one_contribution_per_run")
        ]

    def __str__(self) -> str:
        return str(self.run)

    @property
    def is_valid(self) -> bool:
        """Whether the run may be in a new pool."""
        return self.run.state == Run.State.VALID


class PoolEntryQuerySet(models.QuerySet["PoolEntry"]):
    def of(self, campaign: Campaign) -> Self:
        return self.filter(pool__campaign=campaign)

    def in_frozen_pool(self, campaign: Campaign) -> Self:
        return self.of(campaign).filter(pool__state=Pool.State.FROZEN)

    def without_document(self) -> Self:
        """Return the entries whose document has not been imported."""
        return self.filter(item__kind=DOCUMENT, item__document__pk=None)

    def n_docnos(self) -> int:
        """Count the documents; one pooled for two topics is one."""
        return self.values("item__key").distinct().count()

    def n_by_topic(self, campaign: Campaign) -> dict[int, int]:
        """Return the entries of each topic, by its id, in the frozen pool or else the newest."""
        return self.filter(pool=Pool.objects.current_of(campaign)).of_each_topic()

    def of_each_topic(self) -> dict[int, int]:
        """Return how many of these entries each topic has, by its id."""
        counts = self.order_by().values_list("topic").annotate(n=models.Count("pk"))
        return dict(counts)

    def by_topic(self, campaign: Campaign) -> list[tuple[Topic, int]]:
        """Return the topics that have entries, in order, each with how many."""
        # Grouping by the key alone takes a fifth of the time that it takes with the titles.
        counts = self.of_each_topic()
        topics = campaign.topic_set.defer("description", "narrative")
        return [(each, counts[each.pk]) for each in topics if each.pk in counts]


class PoolEntry(Keyed, models.Model):
    """An item to judge. `run_ids[i]` has it at rank `ranks[i]`."""

    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="entries")
    # A pool that has lost entries with a deleted topic cannot be frozen.
    topic = models.ForeignKey(
        Topic, on_delete=models.CASCADE, help_text="Of its item, to count by without a join."
    )
    item = models.ForeignKey(Item, on_delete=models.CASCADE)
    run_ids = ArrayField(models.BigIntegerField())
    ranks = ArrayField(models.IntegerField())

    objects = PoolEntryQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "item"], name="one_entry_per_item")]

    def __str__(self) -> str:
        return str(self.item)


class ForecastQuerySet(models.QuerySet["Forecast"]):
    def of(
        self, campaign: Campaign, runs: Sequence[Run], topics: Sequence[str]
    ) -> "Forecast | None":
        return self.filter(campaign=campaign, key=forecast_key(runs, topics)).first()


def forecast_key(runs: Sequence[Run], topics: Sequence[str]) -> str:
    """Return the key of a choice of runs for these topics: a stored run never changes."""
    files = sorted(f"{run.sha256} {run.pk}" for run in runs)
    inputs = "\n".join([str(MAX_DEPTH), *files, "", *sorted(topics)])
    return hashlib.sha256(inputs.encode()).hexdigest()


class Forecast(models.Model):
    """The sizes of the pools of these runs, at every depth; computed once for each choice."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    key = models.CharField(max_length=64, help_text="Identifies the runs and topics.")
    run_ids = ArrayField(models.BigIntegerField())
    topics = ArrayField(models.CharField(max_length=60), help_text="In byte order.")
    by_topic = ArrayField(
        ArrayField(models.PositiveIntegerField()),
        default=list,
        help_text="For each topic the documents at depths 1, 2, 3 …",
    )
    created_at = models.DateTimeField(default=timezone.now)
    computed_at = models.DateTimeField(null=True, blank=True)

    objects = ForecastQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="one_forecast_per_choice")
        ]

    def __str__(self) -> str:
        return f"{counted(len(self.run_ids), 'run')}, {counted(len(self.topics), 'topic')}"

    @property
    def is_computed(self) -> bool:
        return self.computed_at is not None

    @property
    def sizes(self) -> PoolSizes:
        shape = len(self.topics), MAX_DEPTH
        by_topic = np.array(self.by_topic, dtype=np.int64).reshape(shape)
        return PoolSizes(tuple(self.topics), by_topic)
