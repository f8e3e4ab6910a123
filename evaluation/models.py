"""Evaluations: one qrels version, a set of measures, every valid run; per topic and aggregated."""

from __future__ import annotations

from typing import NamedTuple

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from assess.models import Qrels
from campaigns.models import Campaign, Run, User
from evaluation.core.measures import parse


class Row(NamedTuple):
    """A line of the leaderboard."""

    rank: int
    score: Score


class EvaluationQuerySet(models.QuerySet["Evaluation"]):
    def latest_of(self, campaign: Campaign) -> Evaluation | None:
        """Return the newest finished evaluation: the leaderboard shown."""
        finished = self.filter(campaign=campaign, finished_at__isnull=False)
        return finished.select_related("qrels").order_by("-pk").first()


class Evaluation(models.Model):
    """Every valid run scored against one qrels version. It never changes; re-scoring makes a new one."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    qrels = models.ForeignKey(Qrels, on_delete=models.PROTECT)
    rules = models.CharField("rule set", max_length=20, default="trec_eval-9")
    topic_set = models.CharField(max_length=20, default="judged")
    measures = ArrayField(models.CharField(max_length=40))
    topics = ArrayField(models.CharField(max_length=60))
    runs = models.ManyToManyField(Run, related_name="evaluations")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = EvaluationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.qrels}, {len(self.measures)} measures"

    def definitions(self) -> list[tuple[str, str]]:
        """Return each measure's name and what it is."""
        return [(name, parse(name).family.definition) for name in self.measures]

    def leaderboard(self, column: int, run_ids: list[int]) -> list[Row]:
        """Return these runs by one measure, best first; figures equal as shown, to four decimals, share a rank.

        Ranks count all runs of the evaluation, also those not shown.
        """
        scores = sorted(
            self.scores.select_related("run__team"),
            key=lambda score: (-_shown(score, column), score.run.tag),
        )
        rows: list[Row] = []
        for place, score in enumerate(scores, 1):
            tied = rows and _shown(rows[-1].score, column) == _shown(score, column)
            rows.append(Row(rows[-1].rank if tied else place, score))
        return [row for row in rows if row.score.run_id in run_ids]


class Score(models.Model):
    """A run's values: `aggregates[i]` is the aggregate of measure i, `by_topic[t][i]` its value on topic t.

    The order of measures and topics is the evaluation's.
    """

    evaluation = models.ForeignKey(
        Evaluation, on_delete=models.CASCADE, related_name="scores"
    )
    run = models.ForeignKey(Run, on_delete=models.PROTECT)
    aggregates = ArrayField(models.FloatField())
    by_topic = ArrayField(ArrayField(models.FloatField()))
    n_missing_topics = models.PositiveIntegerField(
        help_text="Judged topics the run has nothing for; they count 0."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evaluation", "run"], name="scored_once")
        ]

    def __str__(self) -> str:
        return f"{self.run}, {self.evaluation}"


def _shown(score: Score, column: int) -> float:
    return round(score.aggregates[column], 4)
