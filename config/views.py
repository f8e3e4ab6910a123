"""The pages that look over all floors: home, and a campaign's overview."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.access import can
from campaigns.models import Campaign, Job
from campaigns.pages import UserRequest, guarded, page, signed_in
from config.pipeline import next_steps, stages
from evaluation.access import check_can_see_scores


@signed_in
@require_GET
def home(request: UserRequest) -> HttpResponse:
    """Show a person their campaigns and, for each role, the next thing to do."""
    rows = [
        (campaign, next_steps(request.user, campaign))
        for campaign in Campaign.objects.of(request.user)
    ]
    return render(request, "home.html", {"rows": rows})


@signed_in
@require_GET
def overview(request: UserRequest, slug: str) -> HttpResponse:
    """Show where the campaign stands."""
    campaign = guarded(request, slug)
    context: dict[str, Any] = {
        "stages": stages(campaign),
        "steps": next_steps(request.user, campaign),
        "jobs": Job.objects.recent(campaign)[:5],
        "can_see_scores": can(check_can_see_scores, request.user, campaign),
    }
    return page(request, "campaigns/overview.html", campaign, "overview", **context)


@require_GET
def style(request: UserRequest) -> HttpResponse:
    """Show every component in every state, in development."""
    if not settings.DEBUG:
        raise Http404
    return render(request, "style.html")
