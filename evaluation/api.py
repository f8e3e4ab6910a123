"""The addresses of evaluations, scores and releases."""

from datetime import datetime
from typing import Any, ClassVar

from rest_framework import serializers

from accounts.access import Invalid
from accounts.models import User
from api.acting import Act, reads_as
from api.doors import doors
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from campaigns.nouns import RELEASES
from evaluation import services
from evaluation.access import Releases, Scores
from evaluation.models.measured import RuleSet
from evaluation.models.scores import Evaluation
from evaluation.nouns import BOARD, BY_TOPIC, EVALUATIONS
from evaluation.web.scope_form import ScopeForm
from evaluation.web.scoring_forms import EvaluationForm
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
        values.setlist("others", [" ".join([*values.pop("measures", []), *values.pop("others", [])])])
        if "round" in values:
            values["of_round"] = values["round"]
        values.setdefault("rules", RuleSet.NINE)
        self.choice = ScopeForm(values, campaign)
        self.form = EvaluationForm(values, qrels=None)
        self.fields = self.base_fields

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


def release(
    *,
    user: User,
    campaign: Campaign,
    what: str,
    audience: str,
    evaluation: Evaluation | None = None,
    version: int | None = None,
    round: int | None = None,  # noqa: A002 - as programs name it
    from_at: datetime | None = None,
    accepts: str = "",
) -> Release:
    """Release scores by their `evaluation`, qrels, pool and agreement by their `version`."""
    subject = round
    if what == What.SCORES:
        subject = evaluation.pk if evaluation else None
    elif what in {What.QRELS, What.AGREEMENT}:
        versions = campaign.qrels_set.filter(number=version or 0)
        subject = versions.values_list("pk", flat=True).first()
    elif what == What.POOL:
        is_there = Batch.objects.filter(pool__campaign=campaign, version=version or 0).exists()
        subject = version if is_there else None
    if subject is None and what not in {What.RUNS, What.TOPICS}:
        named = "evaluation" if what == What.SCORES else "version"
        raise Invalid(named, f"Name the {named} that is released, one that there is.")
    return services.release(
        user=user,
        campaign=campaign,
        what=what,
        audience=audience,
        subject_id=subject,
        from_at=from_at,
        accepts=accepts,
    )


TO = {
    "what": serializers.ChoiceField(What.choices),
    "audience": serializers.ChoiceField(Release.Audience.choices),
}


def organizing(noun: Any, name: str, service: Any, verb: Any = None, **how: Any) -> Act:
    return Act(noun=noun, name=name, service=service, verb=verb, scope="organize", **how)


urlpatterns = [
    *doors(
        EVALUATIONS,
        organizing(EVALUATIONS, "", services.request_evaluation, form=scoring, fields={"measures": serializers.ListField()}),
        organizing(EVALUATIONS, "study", services.request_study, Scores.study),
        organizing(EVALUATIONS, "leave-out", services.request_reusability, Scores.leave_out),
        organizing(EVALUATIONS, "replace", services.replace_scores, Releases.replace),
        organizing(EVALUATIONS, "review-pool", services.request_review, of_all=True),
    ),
    *doors(BOARD, of=EVALUATIONS),
    *doors(BY_TOPIC, of=EVALUATIONS),
    *doors(
        RELEASES,
        organizing(RELEASES, "", release, Releases.make, fields=TO),
        organizing(RELEASES, "take-back", services.take_back_release, of_all=True, fields=TO),
    ),
]
