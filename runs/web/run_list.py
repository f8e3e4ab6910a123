"""The page of all runs, with the forms that upload them, and the list of released ones."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, open_to_visitors, page
from runs.access.runs import POOL_FROZEN, check_can_see_released_runs, check_can_see_runs
from runs.models import Run
from runs.web.figures import run_figures
from runs.web.lists import RELEASED_RUNS, RUNS, sorting_of
from runs.web.upload_forms import RunForm, RunsForm


def runs_page(
    request: UserRequest,
    campaign: Campaign,
    organizes: bool,
    why_not_submit: str,
    **sent_form: forms.Form,
) -> HttpResponse:
    teams = campaign if organizes else None
    is_frozen = Run.objects.has_frozen_pool(campaign, campaign.round)
    context: dict[str, Any] = {
        **_listed(request, campaign, organizes),
        "form": RunForm(for_team=teams),
        "many": RunsForm(for_team=teams),
        "why_not_submit": why_not_submit,
        "pool_frozen": POOL_FROZEN if is_frozen else "",
        **sent_form,
    }
    return page(request, "runs/runs.html", campaign, "runs", **context)


@signed_in
@require_safe
def run_states(request: UserRequest, slug: str) -> HttpResponse:
    """Show the part of the page that htmx asks for until every check is over."""
    campaign = guarded(request, slug, check_can_see_runs)
    organizes = can(check_can_organize, request.user, campaign)
    context = {**_listed(request, campaign, organizes), "is_refreshed": True}
    return page(request, "runs/_runs.html", campaign, "runs", **context)


def _listed(request: UserRequest, campaign: Campaign, organizes: bool) -> dict[str, Any]:
    """Return what the list and the lines above it show."""
    visible = Run.objects.visible_to(request.user, campaign)
    figures = run_figures(request.user, campaign, visible, organizes=organizes)
    at = reverse("runs:runs", args=[campaign.slug])
    overlaps, scores = figures["overlaps"], figures["scores"]
    sorting = sorting_of(scores, overlaps, has_rounds=campaign.has_rounds)
    runs = RUNS.page(request, campaign, sorting, at=at)
    choice = runs.form
    chosen = choice.cleaned_data if choice.is_valid() else {}
    rows = [
        (run, overlaps.get(run.pk), scores.by_run.get(run.pk), figures["n_expected"][run.round])
        for run in runs
    ]
    return {
        **figures,
        "runs": runs,
        "rows": rows,
        "has_overlaps": any(overlap for _, overlap, *_ in rows),
        "measure": scores.measure if any(score for *_, score, _ in rows) else "",
        "filter": choice,
        "show": chosen.get("show", ""),
        "of_round": chosen.get("of_round"),
        "query": request.GET.urlencode(),
    }


@open_to_visitors
@require_safe
def released_runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_see_released_runs)
    context = {"runs": RELEASED_RUNS.page(request, campaign)}
    return page(request, "runs/released_runs.html", campaign, "runs", **context)
