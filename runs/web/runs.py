"""The pages of all runs: the list, uploads of one or many, another check, the released ones."""

import json
from functools import partial
from operator import methodcaller
from typing import Any, BinaryIO, cast

from django import forms
from django.contrib import messages
from django.core.files import File
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import Refused, can, why_not
from accounts.models import User
from accounts.pages import UserRequest, signed_in
from api.uploads import spending
from api.web.uploads import sent
from campaigns.access.campaign import Campaigns
from campaigns.models.campaign import Campaign
from campaigns.web.frame import done, guarded, is_shown, open_to_visitors, page
from campaigns.web.lists import page_of
from cleverdon.trec.archives import is_archive
from cleverdon.trec.streams import readable
from cleverdon.trec.words import counted
from runs import unpacking
from runs.access.runs import POOL_FROZEN, Runs
from runs.core.run_table import RunRow
from runs.models import Run
from runs.nouns import RELEASED_RUNS, RUNS
from runs.services import runs as runs_services
from runs.web.figures import run_figures, stage_of
from runs.web.lists import sorting_of
from runs.web.upload_forms import BASELINE, RunForm, RunsForm

MAX_NAMED = 10  # files that are not taken


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Runs.see_list)
    organizes = can(Campaigns.organize, request.user, campaign)
    refusal = why_not(Runs.submit, request.user, campaign)
    form = RunForm(**sent(request, campaign, "file"), for_team=campaign if organizes else None)
    if form.is_bound and refusal:
        form.add_error(None, refusal)
    elif form.is_valid():
        given = {"user": request.user, "campaign": campaign, **form.cleaned_data}
        if run := done(form, partial(spending(runs_services.submit_run), **given), field="tag"):
            if run.was_there:
                messages.info(request, f"This very file is here already, as this run {run}.")
            return redirect("runs:run", slug, run.pk)
    return runs_page(request, campaign, organizes, refusal, form=form)


@signed_in
@require_http_methods(["POST"])
def upload_runs(request: UserRequest, slug: str) -> HttpResponse:
    """Take many runs at once: each file by itself, archives by a worker."""
    campaign = guarded(request, slug, Runs.see_list)
    organizes = can(Campaigns.organize, request.user, campaign)
    refusal = why_not(Runs.submit, request.user, campaign)
    form = RunsForm(
        **sent(request, campaign, "run_files"), for_team=campaign if organizes else None
    )
    if not form.is_valid() or refusal:
        form.add_error(None, refusal or [])
        return runs_page(request, campaign, organizes, refusal, many=form)
    files: list[File[bytes]] = form.cleaned_data["run_files"]
    whose = {"by_folder": True} if form.by_folder else {"team": form.cleaned_data.get("team")}
    given = {"user": request.user, "campaign": campaign, **whose}
    rows = list(form.rows)
    converts = bool(form.cleaned_data["converts_all"])
    faults = [_submit(each, rows, given, converts=converts) for each in files]
    refused = [*form.faults, *filter(None, faults), *(row.without_run for row in rows)]
    if n_taken := faults.count(""):
        messages.success(request, f"{counted(n_taken, 'file')} uploaded.")
    for fault in refused[:MAX_NAMED]:
        messages.error(request, fault)
    if more := len(refused[MAX_NAMED:]):
        messages.error(request, f"And {counted(more, 'more file')} not taken.")
    return redirect("runs:runs", slug)


def _submit(file: File[bytes], rows: list[RunRow], given: dict[str, Any], *, converts: bool) -> str:
    """Submit one of many files, taking its row from the table's `rows`; return why not, or ""."""
    try:
        spending(_take)(file=file, rows=rows, given=given, converts=converts)
    except (Refused, ValueError) as error:
        return f"{readable(str(file.name))}: {error}"
    return ""


def _take(*, file: File[bytes], rows: list[RunRow], given: dict[str, Any], converts: bool) -> None:
    content, name = cast("BinaryIO", file.file), str(file.name)
    if is_archive(content):
        runs_services.submit_archive(file=file, converts=converts, **given)
        return
    with unpacking.with_six_columns(content, name, converts=converts) as run:
        _submit_one(File(run, name=name), rows, given)


def _submit_one(file: File[bytes], rows: list[RunRow], given: dict[str, Any]) -> None:
    tag = unpacking.tag_in(cast("BinaryIO", file.file))
    if row := next((each for each in rows if each.is_of(tag, str(file.name))), None):
        rows.remove(row)
    values = row.values if row else {}
    runs_services.submit_run(tag=tag, file=file, **given, **values)


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
        "replaceable": "" if why_not_submit else _replaceable(request.user, campaign),
        **sent_form,
    }
    return page(request, "runs/runs.html", campaign, "runs", **context)


def _replaceable(user: User, campaign: Campaign) -> str:
    """Return as JSON what was said of the runs that a new run with their tag replaces."""
    runs = Run.objects.visible_to(user, campaign).replaceable().defer("report")
    rows = [
        {
            "tag": run.tag,
            "team": BASELINE if run.is_baseline else str(run.team_id),
            "said": run.said,
        }
        for run in runs
    ]
    return json.dumps(rows)


@signed_in
@require_safe
def run_states(request: UserRequest, slug: str) -> HttpResponse:
    """Show the part of the page that htmx asks for until every check is over."""
    campaign = guarded(request, slug, Runs.see_list)
    visible = Run.objects.visible_to(request.user, campaign)
    if is_shown(request, stage_of(request.user, campaign, visible)):
        return HttpResponse(status=204)
    organizes = can(Campaigns.organize, request.user, campaign)
    context = {**_listed(request, campaign, organizes), "is_refreshed": True}
    return page(request, "runs/_runs.html", campaign, "runs", **context)


def _listed(request: UserRequest, campaign: Campaign, organizes: bool) -> dict[str, Any]:
    """Return what the list and the lines above it show."""
    visible = Run.objects.visible_to(request.user, campaign)
    stage = stage_of(request.user, campaign, visible)  # before what is shown is read
    figures = run_figures(request.user, campaign, visible, organizes=organizes)
    at = reverse("runs:runs", args=[campaign.slug])
    overlaps, scores = figures["overlaps"], figures["scores"]
    sorting = sorting_of(scores, overlaps, has_rounds=campaign.has_rounds)
    light = methodcaller("for_list")
    runs = page_of(RUNS, request, campaign, sorting, at=at, light=light)
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
        "stage": stage,
    }


@open_to_visitors
@require_safe
def released_runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Runs.see_released)
    context = {"runs": page_of(RELEASED_RUNS, request, campaign)}
    return page(request, "runs/released_runs.html", campaign, "runs", **context)
