"""The addresses of evaluations, scores and releases."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, cast

from rest_framework import serializers

from accounts.access import Invalid
from accounts.models import User
from api.acting import Act, reads_as
from api.arguments import Argument
from api.doors import doors
from campaigns.models.campaign import DATES, Campaign
from campaigns.models.releases import Release
from evaluation import completeness, services, tasks
from evaluation.access import Releases, Scores
from evaluation.models.measured import RuleSet, usual_measures
from evaluation.models.scores import Evaluation
from evaluation.nouns import BOARD, BY_TOPIC, COMPLETENESS, COMPUTED, EVALUATIONS, PAIRS, RELEASES
from evaluation.web.scope_form import ScopeForm
from evaluation.web.scoring_forms import EvaluationForm
from jobs.models import Job
from pooling.models.batches import Batch

What = Release.What
# Of what programs send, what the form of the page calls otherwise.
NAMES = {"round": "of_round"}


class Scoring:
    """What is scored and how, read as by the two forms of the page.

    `measures` are names as the command's `-m` takes them, `round` is the form's `of_round`.
    """

    base_fields: ClassVar[dict[str, Any]] = {
        name: ScopeForm.base_fields.get(NAMES.get(name, name)) or EvaluationForm.base_fields[name]
        for name in ("qrels", "without", "round", "split", "topic_set", "teams", "runs", "rules")
    }

    def __init__(self, values: Any, campaign: Campaign) -> None:
        named = [*values.pop("measures", []), *values.pop("others", [])]
        values["others"] = " ".join(named or usual_measures())
        if "round" in values:
            values["of_round"] = values["round"]
        values.setdefault("rules", RuleSet.NINE)
        self.choice = ScopeForm(values, campaign)
        self.form = EvaluationForm(values, qrels=None)
        its = self.choice.fields | self.form.fields
        self.fields = {
            name: its.get(NAMES.get(name, name), field) for name, field in self.base_fields.items()
        }

    def is_valid(self) -> bool:
        return self.choice.is_valid() and self.form.is_valid() and bool(self.choice.row)

    @property
    def errors(self) -> dict[str, Any]:
        named = {"others": "measures", **{its: name for name, its in NAMES.items()}}
        found = {**self.choice.errors, **self.form.errors}
        none = {} if self.choice.row else {"qrels": ["There are no qrels yet: publish them first."]}
        return {**none, **{named.get(name, name): its for name, its in found.items()}}

    @property
    def cleaned_data(self) -> dict[str, Any]:
        how = {name: self.form.cleaned_data[name] for name in ("measures", "rules")}
        return {"scope": self.choice.cleaned_data["scope"], **how}


@reads_as(Scoring)
def scoring(values: Any, _: Any, campaign: Campaign, **__: Any) -> Scoring:
    return Scoring(values, campaign)


def score(*, user: User, campaign: Campaign, **how: Any) -> Job:
    """Have workers score the valid runs of a scope, by the measures named or the usual ones."""
    asked = services.request_evaluation(user=user, campaign=campaign, **how)
    return cast("Job", Job.objects.about(tasks.score_runs.name, asked.pk))


def review_pool(*, user: User, campaign: Campaign) -> Job:
    """Have a worker see how completely the pool is judged."""
    review = services.request_review(user=user, campaign=campaign)
    return cast("Job", Job.objects.about(completeness.review_pool.name, review.pk))


def _scores(_: Campaign, evaluation: Evaluation | None, **__: Any) -> int | None:
    return evaluation.pk if evaluation else None


def _version(campaign: Campaign, version: int | None, **_: Any) -> int | None:
    return campaign.qrels_set.filter(number=version or 0).values_list("pk", flat=True).first()


def _pool(campaign: Campaign, version: int | None, **_: Any) -> int | None:
    is_there = Batch.objects.filter(pool__campaign=campaign, version=version or 0).exists()
    return version if is_there else None


# What names that which is released, and how its number is found; the rest is of a round.
SUBJECTS: Mapping[What, tuple[str, Callable[..., int | None]]] = {
    What.SCORES: ("evaluation", _scores),
    What.QRELS: ("version", _version),
    What.AGREEMENT: ("version", _version),
    What.POOL: ("version", _pool),
}


def release(
    *,
    user: User,
    campaign: Campaign,
    what: str,
    evaluation: Evaluation | None = None,
    version: int | None = None,
    round: int | None = None,  # noqa: A002 - as programs name it
    **how: Any,
) -> Release:
    """Release scores by their `evaluation`, runs and topics by `round`, the rest by `version`."""
    named, find = SUBJECTS.get(What(what), ("round", None))
    names = {"evaluation": evaluation, "version": version, "round": round}
    if other := next((n for n, its in names.items() if n != named and its is not None), ""):
        raise Invalid(other, f"What is released is named by its {named}: send no {other}.")
    subject = find(campaign, evaluation=evaluation, version=version) if find else round
    if find and subject is None:
        raise Invalid(named, f"Name the {named} that is released, one that there is.")
    return services.release(user=user, campaign=campaign, what=what, subject_id=subject, **how)


TO: dict[str, Argument] = {
    "what": serializers.ChoiceField(What.choices),
    "audience": serializers.ChoiceField(Release.Audience.choices),
}

HOW: dict[str, Argument] = {
    "from_at": serializers.DateTimeField(allow_null=True, default=None, validators=DATES),
    "accepts": serializers.CharField(allow_blank=True, default="", max_length=10_000),
}


urlpatterns = [
    *doors(
        EVALUATIONS,
        Act(
            EVALUATIONS,
            "",
            score,
            Scores.request,
            form=scoring,
            fields={"measures": serializers.ListField(required=False)},
        ),
        Act(EVALUATIONS, "study", services.request_study, Scores.study),
        Act(EVALUATIONS, "leave-out", services.request_reusability, Scores.leave_out),
        Act(EVALUATIONS, "vary-assessors", services.request_disagreement, Scores.vary),
        Act(EVALUATIONS, "replace", services.replace_scores, Releases.replace),
        Act(EVALUATIONS, "review-pool", review_pool, Scores.review_pool, of_all=True),
    ),
    *doors(BOARD, of=EVALUATIONS),
    *doors(BY_TOPIC, of=EVALUATIONS),
    *doors(PAIRS, of=EVALUATIONS),
    *(door for noun in COMPUTED for door in doors(noun, of=EVALUATIONS)),
    *doors(COMPLETENESS),
    *doors(
        RELEASES,
        Act(RELEASES, "", release, Releases.make, fields=TO | HOW),
        Act(RELEASES, "take-back", services.take_back_release, of_all=True, fields=TO),
    ),
]
