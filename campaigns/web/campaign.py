"""Pages of a campaign itself: creating it, its settings and its jobs."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.access import check, why_not
from accounts.models import User
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.campaign import Campaigns
from campaigns.changes import changes_of
from campaigns.core.guidelines import MAX_CHARACTERS, rendered
from campaigns.core.timeline import Timeline, timeline
from campaigns.events import CampaignEvent
from campaigns.from_above import progress_of
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role, Team
from campaigns.models.trail import AuditEvent
from campaigns.nouns import EVENTS
from campaigns.services import campaign as campaign_services
from campaigns.services import ending
from campaigns.services.ending import describe_contents
from campaigns.web.campaign_forms import (
    SECTION_TITLES,
    SECTIONS,
    TO_BEGIN,
    CampaignForm,
    DeletionForm,
)
from campaigns.web.frame import done, guarded, is_shown, page, part
from campaigns.web.lists import page_of
from campaigns.web.zones import MOMENTS, zone_of
from cleverdon.trec.versions import version
from jobs.acting import stay
from jobs.models import Job

MOST_TO_COPY = 12  # campaigns that are offered
SETTINGS_CHANGED = (CampaignEvent.CREATED, CampaignEvent.CHANGED)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: UserRequest) -> HttpResponse:
    check(Campaigns.create, request.user, None)
    with timezone.override(zone_of(request.POST, None)):
        form = CampaignForm(**sent(request), only=TO_BEGIN)
        if not form.is_valid():
            return render(
                request,
                "campaigns/create.html",
                {"form": form, "mine": _organized_by(request.user)},
                status=422 if form.is_bound else 200,
            )
    campaign = campaign_services.create_campaign(user=request.user, **form.cleaned_data)
    messages.success(request, "Campaign created. Next, import its topics.")
    return redirect("overview", campaign.slug)


def _organized_by(user: User) -> QuerySet[Campaign]:
    """Return the newest campaigns that somebody can copy."""
    roles = Membership.objects.filter(user=user, role=Role.ORGANIZER)
    return Campaign.objects.filter(pk__in=roles.values("campaign")).order_by("-pk")[:MOST_TO_COPY]


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@transaction.atomic
def settings(request: UserRequest, slug: str, section: str = "description") -> HttpResponse:
    """Show a section of the settings, and change what was changed on its page."""
    campaign = guarded(request, slug, Campaigns.change)
    # Locked: the service changes what the form compares with the page.
    stay(campaign.pk)
    if request.method == "POST":
        Team.objects.locked(campaign)
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    with timezone.override(zone_of(request.POST, locked)):
        title, fields = SECTIONS[section]
        form = CampaignForm(**sent(request), instance=locked, only=fields)
        if form.is_valid() and _changed(request.user, campaign, form):
            messages.success(request, "The settings are saved.")
            return redirect(request.path)
        events = AuditEvent.objects.filter(campaign=campaign, kind__in=SETTINGS_CHANGED)
        context: dict[str, Any] = {
            "form": form,
            "section": section,
            "section_title": title,
            "part": f"campaigns/_settings_{section}.html",
            "sections": SECTION_TITLES,
            "changed": events.select_related("actor").first(),
            "timeline": _timeline(vars(campaign), campaign.zone),
            "why_not_delete": why_not(Campaigns.delete, request.user, campaign),
            "has_pool": bool(progress_of(campaign)),
        }
        return page(request, "campaigns/settings.html", campaign, "settings", **context)


def _timeline(dates: Mapping[str, datetime | None], zone: ZoneInfo) -> Timeline | None:
    """Lay out the windows of submission and judging; `dates` are by the names of the settings."""

    def at(name: str) -> datetime | None:
        moment = dates.get(name)
        return moment.astimezone(zone) if moment else None

    windows = [
        (each.capitalize(), at(f"{each}_opens_at"), at(f"{each}_closes_at"))
        for each in ("submission", "judging")
    ]
    return timeline(windows, timezone.localtime(timezone=zone))


@signed_in
@require_POST
def preview_guidelines(request: UserRequest) -> HttpResponse:
    """Show guidelines as assessors will read them; nothing is stored."""
    text = request.POST.get("guidelines", "")
    if len(text) > MAX_CHARACTERS:
        return HttpResponse(f"<p>Guidelines have at most {MAX_CHARACTERS:,} characters.</p>")
    return HttpResponse(rendered(text))


@signed_in
@require_POST
def preview_dates(request: UserRequest) -> HttpResponse:
    """Draw the dates of a form on a line, as far as they are typed; nothing is stored."""
    zone = zone_of(request.POST, None)
    with timezone.override(zone):
        form = CampaignForm(request.POST, only=MOMENTS)
        form.is_valid()
        context = {"timeline": _timeline(form.cleaned_data, zone), "zone": zone}
        return render(request, "campaigns/_timeline.html", context)


@signed_in
@require_safe
def activity(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Campaigns.see_audit_trail)
    audit = page_of(EVENTS, request, campaign)
    context = {
        "audit": audit,
        "rows": [(event, changes_of(event, campaign.zone)) for event in audit],
        "search": audit.form,
        "n_events": EVENTS.rows(request.user, campaign).count(),
    }
    return page(request, "campaigns/activity.html", campaign, "settings", **context)


def _changed(user: User, campaign: Campaign, form: CampaignForm) -> bool:
    """Change the settings, or show the refusal at its field."""
    changes, keeps_clock = form.changes(), form.keeps_clock
    change = partial(campaign_services.change_campaign, user=user, campaign=campaign)
    accepts = form.cleaned_data.get("accepts", "")
    act = partial(change, changes=changes, keeps_clock=keeps_clock, accepts=accepts)
    return bool(done(form, act, field="criteria" if "criteria" in changes else None))


@signed_in
@require_POST
def archive(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug)
    ending.archive_campaign(user=request.user, campaign=campaign)
    messages.success(request, f"{campaign} is archived. It can be restored here.")
    return redirect("campaigns:settings", slug)


@signed_in
@require_POST
def restore(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug)
    ending.restore_campaign(user=request.user, campaign=campaign)
    messages.success(request, f"{campaign} is restored and can be edited again.")
    return redirect("campaigns:settings", slug)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Campaigns.delete)
    form = DeletionForm(**sent(request), campaign=campaign)
    act = partial(ending.delete_campaign, user=request.user, campaign=campaign)
    if form.is_valid() and done(form, partial(act, seen=form.cleaned_data["seen"])):
        messages.success(request, f"{campaign} is deleted.")
        return redirect("home")
    contents = describe_contents(campaign)
    context = {"form": form, "contents": contents, "seen": version(contents)}
    return page(request, "campaigns/delete.html", campaign, "settings", **context)


@signed_in
@require_safe
def job(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show a job's progress; once it is finished, reload the page to show the outcome."""
    campaign = guarded(request, slug, Campaigns.see_jobs)
    job = get_object_or_404(Job, campaign=campaign, pk=pk)
    if job.is_finished:
        return HttpResponseClientRefresh()
    if is_shown(request, job.stage):
        return HttpResponse(status=204)
    return part(request, "_components/job.html", campaign, job=job)


@signed_in
@require_POST
def retry_job(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, Campaigns.retry_jobs)
    campaign_services.retry_job(
        user=request.user, job=get_object_or_404(Job, campaign=campaign, pk=pk)
    )
    return redirect("overview", slug)
