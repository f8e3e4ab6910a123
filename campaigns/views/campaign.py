"""Pages of a campaign itself: creating it, its settings and its jobs."""

from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRefresh

from accounts.access import Refused
from accounts.models import User
from accounts.pages import UserRequest, sent, signed_in
from campaigns import services
from campaigns.access import check_can_organize
from campaigns.forms import (
    TIME_ZONES,
    CampaignForm,
)
from campaigns.models import AuditEvent, Campaign, Job
from campaigns.pages import guarded, page

SHOWN_EVENTS = 50


@signed_in
@require_http_methods(["GET", "POST"])
def create(request: UserRequest) -> HttpResponse:
    with timezone.override(_zone(request)):
        form = CampaignForm(**sent(request))
        if not form.is_valid():
            return render(
                request,
                "campaigns/create.html",
                {"form": form},
                status=422 if form.is_bound else 200,
            )
    campaign = services.create_campaign(user=request.user, **form.values())
    messages.success(request, "Campaign created. Next, import its topics.")
    return redirect("overview", campaign.slug)


@signed_in
@require_http_methods(["GET", "POST"])
def settings(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    with timezone.override(_zone(request, campaign)):
        form = CampaignForm(
            **sent(request), instance=Campaign.objects.get(pk=campaign.pk)
        )
        if form.is_valid() and _changed(request.user, campaign, form):
            messages.success(request, "The settings are saved.")
            return redirect("campaigns:settings", slug)
        events = AuditEvent.objects.filter(campaign=campaign).select_related("actor")
        context: dict[str, Any] = {"form": form, "audit": events[:SHOWN_EVENTS]}
        return page(request, "campaigns/settings.html", campaign, "settings", **context)


def _changed(user: User, campaign: Campaign, form: CampaignForm) -> bool:
    """Change the settings; a refusal is shown beside the field that it concerns."""
    try:
        services.change_campaign(user=user, campaign=campaign, changes=form.values())
    except Refused as refusal:
        form.add_error("grades", str(refusal))
        return False
    return True


def _zone(request: UserRequest, campaign: Campaign | None = None) -> ZoneInfo:
    """Return the zone of the times in the form."""
    name = request.POST.get("time_zone") or (campaign.time_zone if campaign else "UTC")
    # The form itself refuses any other name.
    return ZoneInfo(name if name in TIME_ZONES else "UTC")


@signed_in
@require_GET
def job(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show a job's progress; once it is finished, reload the page to show the outcome."""
    campaign = guarded(request, slug, check_can_organize)
    job = get_object_or_404(Job, campaign=campaign, pk=pk)
    if job.is_finished:
        return HttpResponseClientRefresh()
    context = {"job": job, "campaign": campaign}
    return render(request, "_components/job.html", context)


@signed_in
@require_POST
def retry_job(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug)
    services.retry_job(
        user=request.user, job=get_object_or_404(Job, campaign=campaign, pk=pk)
    )
    return redirect("overview", slug)
