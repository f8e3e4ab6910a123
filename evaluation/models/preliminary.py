"""The preliminary board, which follows the judging, and the ranks of pooled documents in runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.functional import cached_property

from campaigns.models.campaign import Campaign
from campaigns.models.rounds import topics_in
from cleverdon.pools.entries import GRADED
from cleverdon.trec.words import counted
from evaluation.core.leaderboard import BoardEntry, ranked
from evaluation.core.preliminary import SoFar
from evaluation.models.measured import Measured, RuleSet
from evaluation.models.scores import Board, doubles
from pooling.models.entries import PoolEntry, PoolEntryQuerySet
from pooling.models.pools import Pool
from pooling.models.populations import undrawn
from runs.models import Run

if TYPE_CHECKING:
    from collections.abc import Sequence


UNSEEN = -1


def placements_path(placement: Placement, _: str) -> str:
    name = f"{placement.run_id}-{get_random_string(12)}"
    return f"placements/{placement.pool_id}/{name}"


class Placement(models.Model):
    """The ranks of a frozen pool's documents in a run: a cache, made again if it is missing."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="+")
    pool_sha256 = models.CharField(max_length=64, help_text="Of the pool, which can grow.")
    rules = models.CharField(max_length=20, choices=RuleSet.choices)
    file = models.FileField(upload_to=placements_path, max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "pool", "pool_sha256", "rules"],
                name="one_placement_per_pool_and_rules",
            )
        ]

    def __str__(self) -> str:
        return f"{self.run} in {self.pool}"


class PreliminaryQuerySet(models.QuerySet["Preliminary"]):
    def locked(self, pool: Pool, runs: Sequence[Run], topics: Sequence[str]) -> Preliminary:
        """Lock and return the campaign's board, emptied if its runs, pool or level have changed."""
        level = pool.campaign.level
        new = {"campaign": pool.campaign, "pool": pool, "level": level}
        self.get_or_create(campaign=pool.campaign_id, defaults=new)
        board = self.select_for_update(no_key=True).get(campaign=pool.campaign_id)
        ids = [run.pk for run in runs]
        now = ids, pool.pk, pool.sha256, level
        if (board.runs, board.pool_id, board.pool_sha256, board.level) != now:
            board.runs, board.pool_id, board.pool_sha256, board.level = now
            board.topics, board.seen = list(topics), [UNSEEN] * len(topics)
            board.take(SoFar.nothing(len(ids), len(topics), len(board.measures)))
        return board


class Preliminary(Measured):
    """Every valid run of a round scored against the official grades so far of its topics.

    `content` holds the values as doubles, [runs x topics x measures]. Only topics with a judged
    document count in the aggregates.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE)
    pool = models.ForeignKey(Pool, on_delete=models.CASCADE)
    pool_sha256 = models.CharField(max_length=64, blank=True)
    level = models.PositiveSmallIntegerField()
    runs = ArrayField(models.BigIntegerField(), default=list)
    seen = ArrayField(
        models.IntegerField(),
        default=list,
        help_text="Events of each topic's primary assignment that the values include; "
        "UNSEEN before the first time, and for topics of other rounds.",
    )
    n_judged = ArrayField(
        models.PositiveIntegerField(),
        default=list,
        help_text="Per topic, how many documents are judged.",
    )
    content = models.BinaryField(default=bytes)
    aggregates = ArrayField(ArrayField(models.FloatField()), default=list)
    n_missing_topics = ArrayField(models.PositiveIntegerField(), default=list)
    version = models.PositiveIntegerField(default=0)
    refreshed_at = models.DateTimeField(default=timezone.now)

    objects = PreliminaryQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.campaign}, {counted(sum(self.n_judged), 'judgment')}"

    @cached_property
    def is_sample(self) -> bool:
        return self._of_topics(undrawn(self.pool.batches.all())).exists()

    def so_far(self) -> SoFar:
        shape = len(self.runs), len(self.topics), len(self.measures)
        return SoFar(
            doubles(self.content, *shape),
            np.array(self.n_judged),
            np.array(self.aggregates),
            np.array(self.n_missing_topics),
        )

    def take(self, scores: SoFar) -> None:
        """Take over these scores, without saving."""
        self.content = scores.values.astype("<f8").tobytes()
        self.n_judged = scores.n_judged.tolist()
        self.aggregates = scores.aggregates.tolist()
        self.n_missing_topics = scores.n_missing.tolist()

    @property
    def n_topics(self) -> int:
        """Topics that count: those with a judged document."""
        return sum(n > 0 for n in self.n_judged)

    @cached_property
    def round(self) -> int | None:
        """Return the round of its runs, if there are several: a new one may have no run yet."""
        if not self.campaign.has_rounds:
            return None
        return Run.objects.filter(pk__in=self.runs).values_list("round", flat=True).first()

    @property
    def n_pooled(self) -> int:
        """Documents of the pool, on its round's topics, that can have a grade."""
        batches, topics = self.pool.batches.all(), self.campaign.topic_set.all()
        if self.round:
            topics = topics.filter(number__in=topics_in(self.campaign, self.round))
        counts = batches.n_by_topic(*GRADED)
        n = sum(counts.get(topic, 0) for topic in topics.values_list("pk", flat=True))
        unlike = PoolEntry.objects.filter(batch__in=batches, is_unlike=True)
        return n - self._of_topics(unlike).count()

    def _of_topics(self, entries: PoolEntryQuerySet) -> PoolEntryQuerySet:
        """Return those of these entries that are on topics of its round."""
        if not self.round:
            return entries
        return entries.filter(topic__number__in=topics_in(self.campaign, self.round))

    def leaderboard(self, column: int) -> Board:
        """Return the runs by one measure, best first."""
        runs, n_topics = Run.objects.select_related("team").in_bulk(self.runs), self.n_topics
        entries = [
            BoardEntry(runs[pk].tag, runs[pk], values, n_topics, n_missing)
            for pk, values, n_missing in zip(
                self.runs, self.aggregates, self.n_missing_topics, strict=True
            )
        ]
        return ranked(entries, column)
