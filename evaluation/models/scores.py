"""Evaluations of runs against a qrels version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Substr
from django.utils import timezone
from django.utils.functional import cached_property

from accounts.models import User
from accounts.public_id import a_public_id
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release, ReleaseQuerySet
from cleverdon.trec.topics import MAX_NUMBER
from cleverdon.trec.words import counted
from evaluation.core.leaderboard import BoardEntry, ranked
from evaluation.core.standing import Standing
from evaluation.models.measured import Measured
from evaluation.models.scopes import EvaluationQuerySet, ScopeField
from pooling.models.populations import undrawn
from qrels.models import Qrels
from runs.models import Run

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cleverdon.trec.arrays import Floats, Mask
    from evaluation.core.scope import Scope

Board = list[BoardEntry[Run]]


class Evaluation(Measured):
    """The runs of a scope scored against a version of the qrels. Its scores never change.

    `qrels` and `without` are the rows of the versions that the scope names, for joins.
    """

    public_id = a_public_id()
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    scope: models.JSONField[Scope, Scope] = ScopeField()
    qrels = models.ForeignKey(Qrels, on_delete=models.PROTECT)
    without = models.ForeignKey(Qrels, on_delete=models.PROTECT, null=True, related_name="+")
    n_judgments = models.PositiveIntegerField(
        default=0,
        help_text="Judgments scored against: those of the qrels, but for what is left out.",
    )
    n_available = models.PositiveIntegerField(
        default=0, help_text="Valid runs, of its round, when the scores were asked for."
    )
    runs = models.ManyToManyField(Run, related_name="evaluations")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    study: models.JSONField[Any, Any] = models.JSONField(
        null=True, help_text="What `core.study.studied` found, once somebody asked for it."
    )
    reusability: models.JSONField[Any, Any] = models.JSONField(
        null=True, help_text="What `leaving_out` found, once somebody asked for it."
    )
    disagreement: models.JSONField[Any, Any] = models.JSONField(
        null=True, help_text="What `varying` found, once somebody asked for it."
    )
    pictured: models.JSONField[Any, Any] = models.JSONField(
        null=True, help_text="What `figures.pictured` finds, once the runs have been compared."
    )

    objects = EvaluationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.qrels}, {counted(len(self.measures), 'measure')}"

    @classmethod
    def of(cls, campaign: Campaign, scope: Scope, **choices: Any) -> Self:
        """Return one that is not stored, with the rows of the versions that its scope names."""
        rows = campaign.qrels_set.filter(number__in=[scope.qrels, scope.without or 0])
        versions = {each.number: each for each in rows}
        without = versions[scope.without] if scope.without else None
        rows_of = {"campaign": campaign, "qrels": versions[scope.qrels], "without": without}
        return cls(scope=scope, **rows_of, **choices)

    @property
    def name(self) -> str:
        """The name of its scope for those who see all runs."""
        return self.scope.named(n_available=self.n_available)

    @property
    def versions(self) -> list[Qrels]:
        """The versions of its scope: what it was scored against, and what that was without."""
        return [each for each in (self.qrels, self.without) if each]

    @property
    def withdrawn(self) -> set[int]:
        """The numbers of those that have been withdrawn."""
        return {each.number for each in self.versions if each.is_withdrawn}

    @cached_property
    def is_sample(self) -> bool:
        """Whether some of the population of its topics was not drawn."""
        if not self.qrels.is_sample or self.scope.has_all_topics:
            return self.qrels.is_sample
        return undrawn(self.qrels.batches).filter(topic__number__in=self.topics).exists()

    @property
    def marks(self) -> list[str]:
        """Return the marks of captions and files: "draft", "residual", "withdrawn" and so on."""
        marks = [each for each in self.qrels.marks if each != "sample" or self.is_sample]
        marks = ["residual", *marks] if self.without else marks
        if self.withdrawn and "withdrawn" not in marks:
            marks = [*marks, "withdrawn"]
        return marks if self.is_seen else ["draft", *marks]

    @property
    def releases(self) -> ReleaseQuerySet:
        of_scores = self.campaign.releases.standing().filter(what=Release.What.SCORES)
        return of_scores.filter(subject_id=self.pk).order_by("audience")

    @cached_property
    def is_seen(self) -> bool:
        """Whether a release of it is in force."""
        return self.releases.in_force().exists()

    @property
    def by_tag(self) -> models.QuerySet[Score]:
        """The scores of all runs, in the order of tags, without their values by topic."""
        return self.scores.defer("content").select_related("run__team").order_by("run__tag", "pk")

    def values(self, scores: Sequence[Score], at: int) -> Floats:
        """Return the values of runs by one measure, [runs x topics], as `Score.counted` has them.

        The database cuts them out, so that those of the other measures are not read.
        """
        n = 8 * len(self.topics)
        own = Substr("content", 1 + n * at, n, output_field=models.BinaryField())
        rows = self.scores.filter(pk__in=[each.pk for each in scores]).values_list("pk", own)
        stored: dict[int, bytes] = dict(rows)
        found = doubles(b"".join(stored[each.pk] for each in scores), len(scores), -1)
        for row, each in zip(found, scores, strict=True):
            row[each.is_left_out(self.topics)] = np.nan
        return found

    def leaderboard(self, column: int, run_ids: Collection[int]) -> Board:
        """Return these runs by one measure, best first, with their ranks among all runs."""
        of_run = ("tag", "state", "is_late", "is_manual", "team__name", "team__is_baseline")
        own = ("evaluation", "aggregates", "n_topics", "missing_topics", "standings")
        scores = self.scores.select_related("run__team")
        entries = [
            BoardEntry(
                e.run.tag,
                e.run,
                e.aggregates,
                e.n_topics,
                len(e.missing_topics),
                e.pk,
                standings=[e.standing(n) for n in range(len(e.standings))],
            )
            for e in scores.only(*own, *(f"run__{name}" for name in of_run))
        ]
        board = ranked(entries, column, self.parsed[column].family.best)
        return [entry for entry in board if entry.subject.pk in run_ids]


class Score(models.Model):
    """A run's values: `aggregates[i]` of measure i, and `by_topic()[t, i]` on topic t.

    The order of measures and topics is the evaluation's.
    """

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="scores")
    run = models.ForeignKey(Run, on_delete=models.PROTECT)
    aggregates = ArrayField(models.FloatField())
    content = models.BinaryField(help_text="Doubles, measure after measure: as of `packed`.")
    n_topics = models.PositiveIntegerField(help_text="Topics the aggregates are taken over.")
    missing_topics = ArrayField(
        models.CharField(max_length=MAX_NUMBER),
        default=list,
        help_text="Judged topics that are missing from the run.",
    )
    uncounted_topics = ArrayField(
        models.CharField(max_length=MAX_NUMBER),
        default=list,
        help_text="Topics that the aggregates are not taken over; their values say nothing.",
    )

    standings: models.JSONField[list[Any], list[Any]] = models.JSONField(
        default=list,
        help_text="For each measure the fields of `core.standing.Standing`, or null; "
        "empty until they are computed.",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["evaluation", "run"], name="scored_once")]

    def __str__(self) -> str:
        return f"{self.run}, {self.evaluation}"

    def standing(self, column: int) -> Standing | None:
        """Return how the run stands by a measure, if the runs have been compared."""
        stored = self.standings[column] if self.standings else None
        return Standing(*stored) if stored else None

    def by_topic(self) -> Floats:
        """Return the values, [topics x measures]."""
        return doubles(self.content, len(self.evaluation.measures), -1).T

    def is_left_out(self, topics: Sequence[str]) -> Mask:
        """Return which of the topics do not count."""
        # Nearly always none, and a page asks this of all runs.
        uncounted = set(self.uncounted_topics)
        return np.array(
            [t in uncounted for t in topics] if uncounted else np.zeros(len(topics)), bool
        )

    def counted(self) -> Floats:
        """Return the values with the aggregates below them; NaN on topics that do not count."""
        values = self.by_topic()
        values[self.is_left_out(self.evaluation.topics)] = np.nan
        return np.vstack([values, self.aggregates])


def packed(values: Floats) -> bytes:
    """Return the values of a run, [topics x measures], as they are stored."""
    return values.T.astype("<f8").tobytes()


def doubles(content: bytes | memoryview, *shape: int) -> Floats:
    """Return stored doubles as an array."""
    return np.frombuffer(content, dtype="<f8").reshape(shape).astype(np.float64)
