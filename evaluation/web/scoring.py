"""The page that has runs scored."""

from collections.abc import Sequence
from functools import partial

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.access import Refused
from accounts.pages import UserRequest, signed_in
from campaigns.models.campaign import Campaign
from campaigns.web.frame import done, guarded, page, sentences
from evaluation import services
from evaluation.access import ExistsAlready, Scores, front
from evaluation.models.scores import Evaluation
from evaluation.web.scope_form import ScopeForm
from evaluation.web.scoring_forms import EvaluationForm
from qrels.models import Qrels


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def score(request: UserRequest, slug: str) -> HttpResponse:
    """Choose a scope, measures and a rule set, and have the runs scored."""
    campaign = guarded(request, slug, Scores.request)
    if request.method == "POST":
        return _request(request, campaign)
    choice = ScopeForm(request.GET, campaign)
    if not choice.is_valid():
        raise Refused(sentences(choice))
    qrels = choice.row
    if qrels is None:
        raise Http404
    last = front(request.user, campaign)
    choice.offer(qrels, last)
    form = EvaluationForm.like(last, qrels)
    return _score_page(request, campaign, form, choice, qrels=qrels)


def _request(request: UserRequest, campaign: Campaign) -> HttpResponse:
    """Have the runs scored; a refused form is shown again, with a version that is in use."""
    choice = ScopeForm(request.POST, campaign)
    is_chosen, qrels = choice.is_valid(), choice.row
    form = EvaluationForm(request.POST, qrels=qrels)
    if not is_chosen:
        form.add_error(None, sentences(choice))
    existing: list[Evaluation] = []
    if is_chosen and qrels and form.is_valid():
        how = {name: form.cleaned_data[name] for name in ("measures", "rules")}
        ask = partial(services.request_evaluation, user=request.user, campaign=campaign, **how)

        def act() -> Evaluation:
            try:
                return ask(scope=choice.cleaned_data["scope"])
            except ExistsAlready as refusal:
                existing.append(refusal.evaluation)
                raise

        if done(form, act):
            return redirect("evaluation:leaderboard", campaign.slug)
    if qrels is None:
        qrels = next(iter(choice.versions), None)
    return _score_page(request, campaign, form, choice, qrels=qrels, existing=existing)


def _score_page(
    request: UserRequest,
    campaign: Campaign,
    form: EvaluationForm,
    choice: ScopeForm,
    *,
    qrels: Qrels | None,
    existing: Sequence[Evaluation] = (),
) -> HttpResponse:
    context = {
        "existing": existing,
        "form": form,
        "choice": choice,
        "qrels": qrels,
        "versions": choice.versions,
        "rests_on": choice.rests_on(),
    }
    return page(request, "evaluation/score.html", campaign, "leaderboard", **context)
