"""The column of a scope, the runs that a scope has, and evaluations by what they are of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import models
from django.db.models import Exists, F, IntegerField, OuterRef, Q, Subquery
from django.db.models.fields.json import KT, KeyTransform
from django.db.models.functions import Cast

from campaigns.models.people import Role
from campaigns.models.releases import Release
from evaluation.core.scope import Scope
from qrels.rows import by_kind
from runs.models import Run, RunQuerySet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from campaigns.models.campaign import Campaign
    from evaluation.models.scores import Evaluation

# What workers compute later; lists of evaluations do without.
COMPUTED = ("study", "reusability", "disagreement", "pictured")


class ScopeField(models.JSONField):
    """A scope, as JSON without the parts that are as usual."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        found = super().from_db_value(value, expression, connection)
        is_part = isinstance(expression, KeyTransform)
        return found if is_part or found is None else Scope.from_json(found)

    def get_prep_value(self, value: Any) -> Any:
        return value.to_json() if isinstance(value, Scope) else value


def runs_in(campaign: Campaign, scope: Scope) -> RunQuerySet:
    """Return the runs of a scope that are valid now."""
    runs = Run.objects.of_round(campaign, scope.round).valid()
    return runs.filter(tag__in=scope.chosen) if scope.chosen else runs


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

        Among drafts those by qrels in use come first, then those of all runs, of the last round, on
        all topics, of a whole collection, by official grades, those that are not preliminary, the
        newest.
        """
        of_scores = Release.objects.standing().filter(what=Release.What.SCORES)
        released = of_scores.filter(subject_id=OuterRef("pk"))
        return self.annotate(
            is_public=Exists(released.in_force().to(())),
            is_in_force=Exists(released.in_force()),
            is_released=Exists(released),
            is_withdrawn=Q(qrels__withdrawn_at__isnull=False),
            of_round=Cast(KT("scope__round"), IntegerField()),
            **{f"has_{part}": Q(scope__has_key=part) for part in ("chosen", "split", "without")},
            kind=by_kind("qrels__"),
            is_preliminary=Q(qrels__n_unjudged__gt=F("qrels__n_cannot_judge")),
        ).order_by(
            "-is_public",
            "-is_in_force",
            "-is_released",
            "is_withdrawn",
            "has_chosen",
            F("of_round").desc(nulls_last=True),
            "has_split",
            "has_without",
            "kind",
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
        """Return the valid runs, of its scope, submitted or reinstated since the evaluation."""
        valid = runs_in(evaluation.campaign, evaluation.scope)
        return valid.exclude(evaluations=evaluation)

    def with_all_runs(self, evaluation: Evaluation) -> Evaluation | None:
        """Return an evaluation of all valid runs of its scope that is otherwise like this one."""
        runs = runs_in(evaluation.campaign, evaluation.scope).values_list("pk", flat=True)
        return self.equal_to(evaluation, runs).filter(finished_at__isnull=False).first()

    def equal_to(self, asked: Evaluation, runs: Iterable[int]) -> Self:
        """Return the evaluations like this one that have exactly these runs, which are ids."""
        names = ("campaign", "scope", "measures", "rules")
        scored = self.filter(**{name: getattr(asked, name) for name in names})
        return scored.annotate(run_ids=ArrayAgg("runs", order_by="runs")).filter(
            run_ids=sorted(runs)
        )
