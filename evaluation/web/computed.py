"""Pages of an evaluation that a job computes, such as its study."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from accounts.access import Verb, why_not
from accounts.pages import UserRequest
from campaigns.web.frame import attempt, guarded, open_to_visitors, page
from evaluation.access import Scores, evaluations_shown, releases_seen, sees_all_runs
from evaluation.models.scores import Evaluation
from evaluation.services import request_disagreement, request_reusability, request_study
from evaluation.tables import file_stamp
from evaluation.web import disagreement, reusability, study
from jobs.models import Job


class Computed(NamedTuple):
    """The job that computes a page, who asks for it, when it is refused, and what is shown then.

    The result is stored in the field of the evaluation that is called like the page.
    """

    kind: str
    request: Callable[..., object]
    verb: Verb[Evaluation]
    shown: Callable[[HttpRequest, Evaluation, Any], dict[str, Any]]


PAGES: Mapping[str, Computed] = {
    "study": Computed("study", request_study, Scores.study, study.shown),
    "reusability": Computed("leave_out", request_reusability, Scores.leave_out, reusability.shown),
    "disagreement": Computed(
        "vary_assessors", request_disagreement, Scores.vary, disagreement.shown
    ),
}
# What rests on judgments made here.
OF_OWN = {"reusability", "disagreement"}


@open_to_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def computed(request: UserRequest, slug: str, pk: int, name: str) -> HttpResponse:
    """Show the page to those who see all runs and topics; organizers have it computed."""
    campaign, user = guarded(request, slug, Scores.see_by_topic), request.user
    evaluation = get_object_or_404(evaluations_shown(user, campaign), pk=pk)
    if not sees_all_runs(user, evaluation):
        raise Http404
    if name in OF_OWN and evaluation.qrels.pool is None:
        raise Http404
    asked = PAGES[name]
    if request.method == "POST":
        if refusal := attempt(asked.request, user=user, evaluation=evaluation):
            messages.error(request, refusal)
        return redirect(f"evaluation:{name}", slug, pk)
    context: dict[str, Any] = {
        # Read before its result: if the job ends meanwhile, the page still loads itself again.
        "job": Job.objects.about(asked.kind, pk),
        "refusal": why_not(asked.verb, user, evaluation),
        "evaluation": evaluation,
        "stamp": file_stamp(evaluation),
        "releases": releases_seen(user, evaluation),
    }
    if found := getattr(evaluation, name):
        context |= asked.shown(request, evaluation, found)
    return page(request, f"evaluation/{name}.html", campaign, "leaderboard", **context)
