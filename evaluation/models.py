"""Evaluations of every valid run against a qrels version, and the preliminary board that follows the judging."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from assess.models import Qrels
from campaigns.models import Campaign, Run
from evaluation.core.leaderboard import BoardEntry, ranked
from evaluation.core.measures.names import LEADERBOARD, parse
from evaluation.core.preliminary import SoFar
from pooling.models import Pool
from trec.ranking import DEFAULT_RULES
from trec.words import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from evaluation.core.measures.family import Measure
    from trec.arrays import Floats

Board = list[BoardEntry[Run]]


class RuleSet(models.TextChoices):
    """The version of trec_eval whose rules apply; stored as written here."""

    NINE = "trec_eval-9", "trec_eval 9: scores compared in single precision"
    TEN = "trec_eval-10", "trec_eval 10: scores compared in double precision"


class TopicSet(models.TextChoices):
    """Which topics a mean is taken over; stored as written here."""

    JUDGED = "judged", "all judged topics; a missing topic counts 0"
    RELEVANT = "relevant", "topics with a relevant document"
    RETRIEVED = "retrieved", "topics in the run"


def usual_measures() -> list[str]:
    return [str(measure) for measure in LEADERBOARD]


class Measured(models.Model):
    """Which measures on which topics, and by which rules: stamped on every table and every file."""

    rules = models.CharField(
        "rule set", max_length=20, choices=RuleSet.choices, default=DEFAULT_RULES
    )
    topic_set = models.CharField(
        max_length=20, choices=TopicSet.choices, default=TopicSet.JUDGED
    )
    measures = ArrayField(models.CharField(max_length=80), default=usual_measures)
    topics = ArrayField(models.CharField(max_length=60), default=list)

    class Meta:
        abstract = True

    @property
    def parsed(self) -> list[Measure]:
        return [parse(name) for name in self.measures]

    def definitions(self) -> list[tuple[str, str]]:
        """Return the name and the definition of each measure."""
        return [(name, parse(name).family.definition) for name in self.measures]


class EvaluationQuerySet(models.QuerySet["Evaluation"]):
    def finished(self, campaign: Campaign) -> Self:
        """Return the finished evaluations, newest first."""
        rows = self.filter(campaign=campaign, finished_at__isnull=False)
        related = (
            "campaign",
            "qrels__pool",
            "qrels__withdrawn_by",
            "without",
            "created_by",
        )
        return rows.select_related(*related).order_by("-pk")

    def latest_of(self, campaign: Campaign) -> Evaluation | None:
        """Return the evaluation that the leaderboard shows: the newest, of those whose qrels stand if there are any.

        Documents that it leaves out may be those of a version that was withdrawn since: the runs have seen them all the same.
        """
        finished = self.finished(campaign)
        return finished.filter(qrels__withdrawn_at=None).first() or finished.first()

    def n_left_out(self, evaluation: Evaluation) -> int:
        """Count the valid runs that the evaluation does not have: submitted, or reinstated, since."""
        valid = Run.objects.filter(campaign=evaluation.campaign_id).valid()
        return valid.exclude(evaluations=evaluation).count()

    def equal_to(self, qrels: Qrels, runs: Collection[Run], **choices: Any) -> Self:
        """Return the evaluations of exactly these runs against these qrels, by the same choices."""
        ids = sorted(run.pk for run in runs)
        scored = self.filter(qrels=qrels, **choices).annotate(
            run_ids=ArrayAgg("runs", order_by="runs")
        )
        return scored.filter(run_ids=ids)


class Evaluation(Measured):
    """Every valid run scored against one qrels version. It never changes; re-scoring makes a new one."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    qrels = models.ForeignKey(Qrels, on_delete=models.PROTECT)
    without = models.ForeignKey(
        Qrels,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        help_text="Documents judged there are left out of runs and judgments: the residual collection.",
    )
    n_judgments = models.PositiveIntegerField(
        default=0,
        help_text="Judgments scored against: those of the qrels, but for documents left out.",
    )
    runs = models.ManyToManyField(Run, related_name="evaluations")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = EvaluationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.qrels}, {counted(len(self.measures), 'measure')}"

    @property
    def against(self) -> str:
        """What the runs were scored against: "qrels v2 without v1"."""
        return (
            f"{self.qrels}{f' without v{self.without.number}' if self.without else ''}"
        )

    def leaderboard(self, column: int, run_ids: Collection[int]) -> Board:
        """Return these runs by one measure, best first; ranks are those among all runs of the evaluation."""
        shown = ("run__tag", "run__state", "run__is_late", "run__team__name", "run__team__is_baseline")  # fmt: skip
        columns = ("evaluation", "aggregates", "n_topics", "n_missing_topics", *shown)
        scores = self.scores.select_related("run__team").only(*columns)
        entries = [
            BoardEntry(each.run.tag, each.run, each.aggregates, each.n_topics, each.n_missing_topics, each.pk)
            for each in scores
        ]  # fmt: skip
        board = ranked(entries, column, self.parsed[column].family.best)
        return [entry for entry in board if entry.subject.pk in run_ids]


class Score(models.Model):
    """A run's values: `aggregates[i]` is the aggregate of measure i, `by_topic()[t, i]` its value on topic t.

    The order of measures and topics is the evaluation's.
    """

    evaluation = models.ForeignKey(
        Evaluation, on_delete=models.CASCADE, related_name="scores"
    )
    run = models.ForeignKey(Run, on_delete=models.PROTECT)
    aggregates = ArrayField(models.FloatField())
    content = models.BinaryField(help_text="Doubles, topic after topic.")
    n_topics = models.PositiveIntegerField(
        help_text="Topics the aggregates are taken over."
    )
    n_missing_topics = models.PositiveIntegerField(
        help_text="Judged topics that are missing from the run."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evaluation", "run"], name="scored_once")
        ]

    def __str__(self) -> str:
        return f"{self.run}, {self.evaluation}"

    def by_topic(self) -> Floats:
        """Return the values, [topics x measures]."""
        return doubles(self.content, -1, len(self.evaluation.measures))


def doubles(content: bytes | memoryview, *shape: int) -> Floats:
    """Return stored doubles as an array."""
    return np.frombuffer(content, dtype="<f8").reshape(shape).astype(np.float64)


def placements_path(placement: Placement, _: str) -> str:
    name = f"{placement.run_id}-{get_random_string(12)}"
    return f"placements/{placement.pool_id}/{name}"


class Placement(models.Model):
    """The ranks of a frozen pool's documents in a run. A cache: a missing one is made from the run."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="+")
    rules = models.CharField(max_length=20, choices=RuleSet.choices)
    file = models.FileField(upload_to=placements_path, max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "pool", "rules"], name="one_placement_per_pool_and_rules"
            )
        ]

    def __str__(self) -> str:
        return f"{self.run} in {self.pool}"


class PreliminaryQuerySet(models.QuerySet["Preliminary"]):
    def locked(
        self, pool: Pool, runs: Sequence[Run], topics: Sequence[str]
    ) -> Preliminary:
        """Lock and return the board of the pool's campaign, emptied first if its runs, pool or level have changed."""
        level = pool.campaign.level
        begun = {"pool": pool, "level": level}
        self.get_or_create(
            campaign=pool.campaign_id, defaults={**begun, "campaign": pool.campaign}
        )
        board = self.select_for_update().get(campaign=pool.campaign_id)
        ids = [run.pk for run in runs]
        if (board.runs, board.pool_id, board.level) != (ids, pool.pk, level):
            board.runs, board.pool, board.level = ids, pool, level
            board.topics, board.seen = list(topics), [-1] * len(topics)
            board.take(SoFar.nothing(len(ids), len(topics), len(board.measures)))
        return board


class Preliminary(Measured):
    """The scores so far: every valid run against the primary assessors' grades, refreshed as they judge.

    `content` holds the values as doubles, [runs x topics x measures]. Only topics with a judged document count in the
    aggregates.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE)
    pool = models.ForeignKey(Pool, on_delete=models.CASCADE)
    level = models.PositiveSmallIntegerField()
    runs = ArrayField(models.BigIntegerField(), default=list)
    seen = ArrayField(
        models.IntegerField(),
        default=list,
        help_text="Per topic, how many events of its primary assignment the values include; -1 before the first time.",
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

    def so_far(self) -> SoFar:
        """Return the scores of the board."""
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

    def leaderboard(self, column: int) -> Board:
        """Return the runs by one measure, best first."""
        runs = Run.objects.select_related("team").in_bulk(self.runs)
        entries = [
            BoardEntry(runs[pk].tag, runs[pk], values, self.n_topics, n_missing)
            for pk, values, n_missing in zip(
                self.runs, self.aggregates, self.n_missing_topics, strict=True
            )
        ]
        return ranked(entries, column)
