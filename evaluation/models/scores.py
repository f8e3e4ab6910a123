"""Evaluations of every valid run against a qrels version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Substr
from django.utils import timezone
from django.utils.functional import cached_property

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.releases import Release, ReleaseQuerySet
from cleverdon.trec.topics import MAX_NUMBER
from cleverdon.trec.words import counted
from evaluation.core.leaderboard import BoardEntry, ranked
from evaluation.core.standing import Standing
from evaluation.models.measured import Measured, Split
from pooling.models.populations import undrawn
from qrels.models import Qrels
from runs.models import Run, RunQuerySet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from cleverdon.trec.arrays import Floats, Mask

Board = list[BoardEntry[Run]]
# What workers compute later; lists of evaluations do without.
COMPUTED = ("study", "reusability", "pictured")


class EvaluationQuerySet(models.QuerySet["Evaluation"]):
    def of(self, campaign: Campaign) -> Self:
        return self.filter(campaign=campaign)

    def finished(self, campaign: Campaign) -> Self:
        """Return the finished evaluations, newest first."""
        rows = self.filter(campaign=campaign, finished_at__isnull=False)
        released = Release.objects.filter(what=Release.What.SCORES, subject_id=OuterRef("pk"))
        rows = rows.annotate(is_seen=Exists(released.in_force()))
        related = ("campaign", "qrels__pool", "qrels__withdrawn_by", "without", "created_by")
        return rows.select_related(*related).defer(*COMPUTED).order_by("-pk")

    def by_weight(self) -> Self:
        """Order by release: to everybody, to the teams, from a later date, drafts.

        Among drafts those by qrels in use come first, then those of the last round, on all topics,
        of a whole collection, by qrels published here, those that are not preliminary, the newest.
        """
        of_scores = Release.objects.standing().filter(what=Release.What.SCORES)
        released = of_scores.filter(subject_id=OuterRef("pk"))
        return self.annotate(
            is_public=Exists(released.in_force().to(())),
            is_in_force=Exists(released.in_force()),
            is_released=Exists(released),
            is_withdrawn=Q(qrels__withdrawn_at__isnull=False),
            is_residual=Q(without__isnull=False),
            is_imported=~Q(qrels__source=""),
            is_preliminary=Q(qrels__n_unjudged__gt=F("qrels__n_cannot_judge")),
        ).order_by(
            "-is_public",
            "-is_in_force",
            "-is_released",
            "is_withdrawn",
            F("round").desc(nulls_last=True),
            "split",
            "is_residual",
            "is_imported",
            "is_preliminary",
            "-pk",
        )

    def released_to_teams(self) -> Self:
        """Return the evaluations that teams see now, the one of their board first."""
        of_scores = Release.objects.in_force().filter(what=Release.What.SCORES)
        released = of_scores.filter(subject_id=OuterRef("pk")).to([Role.PARTICIPANT])
        since = Subquery(released.values("from_at")[:1])
        own = Exists(released.filter(audience=Release.Audience.PARTICIPANTS))
        rows = self.filter(Exists(released)).annotate(since=since, is_teams=own)
        return rows.order_by("-since", "-is_teams")

    def front_first(self, campaign: Campaign) -> Self:
        """Return the finished evaluations, the one that organizers see in front first."""
        return self.finished(campaign).by_weight()

    def n_out(self, evaluation: Evaluation) -> int:
        """Count the runs of the evaluation that are not valid any more."""
        return evaluation.runs.exclude(state=Run.State.VALID).count()

    def left_out(self, evaluation: Evaluation) -> RunQuerySet:
        """Return the valid runs, of its round, submitted or reinstated since the evaluation."""
        valid = Run.objects.of_round(evaluation.campaign, evaluation.round).valid()
        return valid.exclude(evaluations=evaluation)

    def n_left_out(self, evaluation: Evaluation) -> int:
        """Count the valid runs, of its round, submitted or reinstated since the evaluation."""
        return self.left_out(evaluation).count()

    def with_all_runs(self, evaluation: Evaluation) -> Evaluation | None:
        """Return an evaluation of all valid runs, of its round, that is otherwise like this one."""
        runs = Run.objects.of_round(evaluation.campaign, evaluation.round).valid()
        names = ("measures", "rules", "topic_set", "without", "split", "round")
        like = {name: getattr(evaluation, name) for name in names}
        equal = self.equal_to(evaluation.qrels, runs.values_list("pk", flat=True), **like)
        return equal.filter(finished_at__isnull=False).first()

    def equal_to(self, qrels: Qrels, runs: Iterable[int], **choices: Any) -> Self:
        """Return the evaluations of exactly these runs, by the same choices; `runs` are ids."""
        ids = sorted(runs)
        scored = self.filter(qrels=qrels, **choices)
        return scored.annotate(run_ids=ArrayAgg("runs", order_by="runs")).filter(run_ids=ids)


class Evaluation(Measured):
    """Every valid run scored against a version of the qrels. Its scores never change."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    qrels = models.ForeignKey(Qrels, on_delete=models.PROTECT)
    without = models.ForeignKey(
        Qrels,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        help_text="Documents judged there are left out: the residual collection.",
    )
    round = models.PositiveSmallIntegerField(
        null=True, help_text="Only its runs, on its topics; none for all runs."
    )
    split = models.CharField(max_length=6, choices=Split.choices, default=Split.ALL)
    n_judgments = models.PositiveIntegerField(
        default=0,
        help_text="Judgments scored against: those of the qrels, but for what is left out.",
    )
    runs = models.ManyToManyField(Run, related_name="evaluations")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    study: models.JSONField[Any, Any] = models.JSONField(
        null=True, help_text="What `core.study.studied` returns, once somebody asked for it."
    )
    reusability: models.JSONField[Any, Any] = models.JSONField(
        null=True, help_text="What `reviewing.leave_out` found, once somebody asked for it."
    )
    pictured: models.JSONField[Any, Any] = models.JSONField(
        null=True, help_text="What `figures.pictured` returns, once the runs have been compared."
    )

    objects = EvaluationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.qrels}, {counted(len(self.measures), 'measure')}"

    @property
    def against(self) -> str:
        """What the runs were scored against: "qrels v2 in round 2 without v1"."""
        return f"{self.qrels}{self.how}"

    @property
    def how(self) -> str:
        """The rest of what they were scored against: " in round 2 on the public topics"."""
        of_round = f" in round {self.round}" if self.round else ""
        without = f" without v{self.without.number}" if self.without else ""
        return f"{of_round}{without}{' on the public topics' if self.is_partial else ''}"

    @property
    def is_partial(self) -> bool:
        """Whether the hidden topics are left out."""
        return self.split == Split.PUBLIC

    @cached_property
    def is_sample(self) -> bool:
        """Whether some of the population of its topics was not drawn."""
        if not self.qrels.is_sample or not (self.round or self.is_partial):
            return self.qrels.is_sample
        return undrawn(self.qrels.batches).filter(topic__number__in=self.topics).exists()

    @property
    def marks(self) -> list[str]:
        """Return the marks of captions and files: "draft", "residual", "withdrawn" and so on."""
        marks = [each for each in self.qrels.marks if each != "sample" or self.is_sample]
        marks = ["residual", *marks] if self.without else marks
        if self.without and self.without.is_withdrawn and "withdrawn" not in marks:
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
