"""Batches of a pool, drafts until they are frozen."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any, Self

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import User
from accounts.public_id import a_public_id
from campaigns.models.campaign import Campaign
from cleverdon.pools.entries import Recipe, Standing
from cleverdon.pools.strategy.table import STRATEGIES
from jobs.models import StateQuerySet
from pooling.core.lifecycle import BATCH_TRANSITIONS
from pooling.models.pools import Pool
from runs.models import Run


class BatchQuerySet(StateQuerySet["Batch"]):
    transitions = BATCH_TRANSITIONS

    def drafts_of(self, campaign: Campaign) -> Self:
        """Return the batches that are not frozen, the newest first."""
        return self.filter(campaign=campaign, pool=None).order_by("-pk")

    def frozen_of(self, campaign: Campaign) -> Self:
        """Return the batches of the campaign's pool, the newest first."""
        return self.filter(pool__campaign=campaign).order_by("-version")

    def current_of(self, campaign: Campaign) -> Batch | None:
        """Return the batch frozen last, or else the newest draft."""
        frozen_first = F("version").desc(nulls_last=True)
        return self.filter(campaign=campaign).order_by(frozen_first, "-pk").first()

    def built(self) -> Self:
        return self.exclude(sha256="")

    def adaptive(self) -> Self:
        names = [name for name, each in STRATEGIES.items() if each.is_adaptive]
        return self.filter(strategy__in=names)

    def n_by_topic(self, *standings: Standing) -> dict[int, int]:
        """Return how many documents of these standings the batches have, by topic id.

        Without any, those that are to be judged.
        """
        totals = Counter[int]()
        for (counts,) in self.order_by().values_list("counts"):
            for each in standings or (Standing.NEW,):
                totals.update({int(topic): n for topic, n in counts.get(each, {}).items()})
        return dict(totals)

    def n_missing(self) -> int:
        """Count the documents that these batches bring and whose text has not been imported."""
        return self.aggregate(n=models.Sum("n_missing"))["n"] or 0

    def for_list(self) -> Self:
        people = self.select_related("created_by", "frozen_by").defer("counts", "judged", "reasons")
        read = Q(sha256="") | Q(contributors__is_read=True)
        return people.annotate(n_runs=models.Count("contributors", filter=read))


class Batch(models.Model):
    """Documents formed by one strategy, and how to form them again. Frozen, it never changes.

    Its entries are what it adds to the pool and what it has besides: see `Standing`.
    """

    class State(models.TextChoices):
        BUILDING = "building"
        FAILED = "failed"
        BUILT = "built"
        FROZEN = "frozen"

    public_id = a_public_id()
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    pool = models.ForeignKey(
        Pool, on_delete=models.CASCADE, null=True, related_name="batches", help_text="Once frozen."
    )
    version = models.PositiveIntegerField(
        null=True, help_text="The version of the pool that it made."
    )
    base = models.PositiveIntegerField(
        default=0, help_text="The version of the pool that it was built to extend; 0 before any."
    )
    round = models.PositiveSmallIntegerField(
        default=1, help_text="Of the campaign; the current one when it was requested."
    )
    strategy = models.CharField(max_length=20)
    parameters = models.JSONField(default=dict, help_text="Of the strategy, by name.")
    order_rule = models.CharField(max_length=20)
    topics = models.JSONField(
        default=list, help_text="Numbers of the topics chosen, in order; empty for all."
    )
    seed = models.BigIntegerField(help_text="What is left to chance is drawn from it.")
    existing_sha256 = models.CharField(
        max_length=64, blank=True, help_text="Of the qrels whose judgments count; empty for none."
    )
    joins_duplicates = models.BooleanField(
        "one judgment serves exact duplicates",
        default=False,
        help_text="Of documents with the same text one is judged; the others get its grade.",
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.BUILDING)
    n_entries = models.PositiveIntegerField(
        default=0, help_text="Documents that it adds to the pool."
    )
    counts = models.JSONField(
        default=dict,
        help_text="How many documents it has, by what they are to the pool and by topic id.",
    )
    n_missing = models.PositiveIntegerField(
        default=0, help_text="Documents that it adds and whose text has not been imported."
    )
    n_swapped = models.JSONField(
        default=dict, help_text="Documents that each other order rule would bring in, by its name."
    )
    judged = models.JSONField(
        default=dict,
        help_text="What an adaptive strategy was told when it chose, by topic and docno: "
        "1 for relevant, 0 for not.",
    )
    reasons = models.JSONField(default=list, help_text="In words; entries have their numbers.")
    sha256 = models.CharField(max_length=64, blank=True)
    expected_sha256 = models.CharField(
        max_length=64, blank=True, help_text="Of the file that it was imported from."
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    frozen_at = models.DateTimeField(null=True, blank=True)
    frozen_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    objects = BatchQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool", "version"], name="one_batch_per_version"),
            models.CheckConstraint(
                condition=Q(state="frozen", pool__isnull=False, version__isnull=False)
                | ~Q(state="frozen") & Q(pool=None, version=None),
                name="a_frozen_batch_is_of_a_pool",
            ),
        ]

    def __str__(self) -> str:
        how, topics = STRATEGIES[self.strategy].label(**self.parameters), self.topics
        if not topics:
            return how
        return f"{how}, {f'topic {topics[0]}' if len(topics) == 1 else f'{len(topics):,} topics'}"

    @property
    def rule(self) -> str:
        """Which documents it has, as a sentence without its end."""
        return STRATEGIES[self.strategy].rule(**self.parameters)

    @property
    def recipe(self) -> Recipe:
        return Recipe(
            self.strategy,
            self.parameters,
            self.seed,
            self.order_rule,
            self.existing_sha256,
            self.joins_duplicates,
        )

    @property
    def is_frozen(self) -> bool:
        return self.state == self.State.FROZEN

    def again(self) -> tuple[list[Run], dict[str, Any]]:
        """Return its runs that are still valid, and how another is formed like it."""
        known = set(self.campaign.topic_set.values_list("number", flat=True))
        left = [number for number in self.topics if number in known]
        runs = list(Run.objects.filter(contributor__batch=self).valid())
        return runs, {
            "strategy": self.strategy,
            "parameters": self.parameters,
            "order_rule": self.order_rule,
            "topics": left or self.topics,  # empty for all: never when all of them are gone
            "round": self.round,
            "existing_sha256": self.existing_sha256,
            "joins_duplicates": self.joins_duplicates,
        }

    def n_by_topic(self) -> Counter[int]:
        """Return how many documents it has, by topic id; what a sample left out is not counted."""
        kept = (own for name, own in self.counts.items() if name != Standing.UNDRAWN)
        totals = Counter[int]()
        for own in kept:
            totals.update({int(topic): n for topic, n in own.items()})
        return totals

    def pool_sha256(self, before: str) -> str:
        """Return the hash of the pool with this batch, from that of the pool `before` it."""
        return hashlib.sha256(f"{before}\n{self.sha256}\n".encode()).hexdigest()
