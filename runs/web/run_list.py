"""The page of all runs, with the forms that upload them, and the list of released ones."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import natural
from campaigns.web.frame import guarded, listed, open_to_visitors, page
from campaigns.web.sorting import Column, Sorting
from runs.access.runs import (
    POOL_FROZEN,
    check_can_see_released_runs,
    check_can_see_runs,
    released_of,
)
from runs.from_above import BoardScores, Overlap
from runs.models import Run
from runs.web.figures import run_figures
from runs.web.run_forms import RunFilterForm
from runs.web.upload_forms import RunForm, RunsForm

RUN = Column(natural("tag"))
TEAM = Column(natural("team__name"))
COLUMNS = {
    "run": RUN,
    "team": TEAM,
    "state": Column("state"),
    "topics_answered": Column("n_topics", has_gaps=True),
    "lines": Column("n_lines", is_number=True, has_gaps=True),
    "errors": Column("n_errors", is_number=True, has_gaps=True),
    "warnings": Column("n_warnings", is_number=True, has_gaps=True),
    "uploaded": Column("submitted_at", is_date=True),
}
RELEASED = Sorting("released-runs", run=RUN, team=TEAM, how_it_was_made=Column("description"))


def _sorting(scores: BoardScores, overlaps: Mapping[int, Overlap]) -> Sorting:
    """Return what runs are sorted by: also by their scores and overlaps, where these are shown."""
    columns = dict(COLUMNS)
    if overlaps:
        columns["shared"] = Column(lambda run: getattr(overlaps.get(run.pk), "percent", None))
    if scores.by_run:
        columns["measure"] = Column(
            lambda run: getattr(scores.by_run.get(run.pk), "value", None),
            is_number=True,
            name=scores.measure,
        )
    return Sorting("run-list", unasked="-Uploaded", **columns)


def runs_page(
    request: UserRequest,
    campaign: Campaign,
    organizes: bool,
    why_not_submit: str,
    **sent_form: forms.Form,
) -> HttpResponse:
    teams = campaign if organizes else None
    context: dict[str, Any] = {
        **_listed(request, campaign, organizes),
        "form": RunForm(for_team=teams),
        "many": RunsForm(for_team=teams),
        "why_not_submit": why_not_submit,
        "pool_frozen": POOL_FROZEN if Run.objects.has_frozen_pool(campaign) else "",
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
    choice = RunFilterForm(request.GET)
    chosen = choice.cleaned_data if choice.is_valid() else {}
    visible = Run.objects.visible_to(request.user, campaign)
    matching = visible.for_list(**chosen)
    figures = run_figures(request.user, campaign, visible, organizes=organizes)
    at = reverse("runs:runs", args=[campaign.slug])
    overlaps, scores = figures["overlaps"], figures["scores"]
    runs = listed(request, matching, _sorting(scores, overlaps), at=at)
    rows = [(run, overlaps.get(run.pk), scores.by_run.get(run.pk)) for run in runs]
    return {
        **figures,
        "runs": runs,
        "rows": rows,
        "has_overlaps": any(overlap for _, overlap, _ in rows),
        "measure": scores.measure if any(score for *_, score in rows) else "",
        "filter": choice,
        "show": chosen.get("show", ""),
        "query": request.GET.urlencode(),
    }


@open_to_visitors
@require_safe
def released_runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_see_released_runs)
    context = {"runs": listed(request, released_of(campaign), RELEASED)}
    return page(request, "runs/released_runs.html", campaign, "runs", **context)
