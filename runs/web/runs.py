"""The page of all runs: upload, list, and checking again."""

from collections.abc import Mapping
from functools import partial
from typing import Any, BinaryIO, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.core.files import File
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import Refused, why_not
from accounts.models import User
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.roles import roles
from campaigns.access.windows import deadline
from campaigns.dates import Date
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from campaigns.web.frame import done, guarded, open_to_visitors, page
from campaigns.web.sorting import Column, Sorting
from jobs.models import Job
from runs import checking, unpacking
from runs.access.runs import (
    POOL_FROZEN,
    check_can_see_released_runs,
    check_can_see_runs,
    check_can_submit,
    is_late,
)
from runs.access.teams import team_of
from runs.core.run_table import RunRow
from runs.from_above import Overlap, Scores, overlaps_of, scores_of
from runs.models import MARKS, Run
from runs.services import runs as runs_services
from runs.web.lists import COLUMNS, RELEASED_RUNS, RUNS
from runs.web.upload_forms import RunForm, RunsForm
from trec.archives import is_archive
from trec.streams import readable
from trec.words import counted

MAX_NAMED = 10  # files that are not taken
LABELS = {"warned": "With warnings"}
MANY_IDS = "many_%s"  # two forms are on one page


def _sorting(scores: Scores, overlaps: Mapping[int, Overlap]) -> Sorting:
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


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_see_runs)
    form = RunForm(**sent(request), for_team=_for_team(request, campaign))
    if form.is_bound and (refusal := why_not(check_can_submit, request.user, campaign)):
        form.add_error(None, refusal)
    elif form.is_valid():
        submit = partial(runs_services.submit_run, user=request.user, campaign=campaign)
        if run := done(form, partial(submit, **form.cleaned_data), field="tag"):
            return redirect("runs:run", slug, run.pk)
    return _runs_page(request, campaign, form=form)


@open_to_visitors
@require_safe
def released_runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_see_released_runs)
    runs = RELEASED_RUNS.page(request, campaign)
    return page(request, "runs/released_runs.html", campaign, "runs", runs=runs)


@signed_in
@require_http_methods(["POST"])
def upload_runs(request: UserRequest, slug: str) -> HttpResponse:
    """Take many runs at once: each file by itself, archives by a worker."""
    campaign = guarded(request, slug, check_can_see_runs)
    form = RunsForm(**sent(request), for_team=_for_team(request, campaign), auto_id=MANY_IDS)
    refusal = why_not(check_can_submit, request.user, campaign)
    if not form.is_valid() or refusal:
        form.add_error(None, refusal or [])
        return _runs_page(request, campaign, many=form)
    files: list[File[bytes]] = form.cleaned_data["run_files"]
    whose = {"by_folder": True} if form.by_folder else {"team": form.cleaned_data.get("team")}
    given = {"user": request.user, "campaign": campaign, **whose}
    rows = list(form.rows)
    faults = [_submit(each, rows, given) for each in files]
    refused = [*form.faults, *filter(None, faults), *(row.without_run for row in rows)]
    if n_taken := faults.count(""):
        messages.success(request, f"{counted(n_taken, 'file')} uploaded.")
    for fault in refused[:MAX_NAMED]:
        messages.error(request, fault)
    if more := len(refused[MAX_NAMED:]):
        messages.error(request, f"And {counted(more, 'more file')} not taken.")
    return redirect("runs:runs", slug)


def _submit(file: File[bytes], rows: list[RunRow], given: dict[str, Any]) -> str:
    """Submit one of many files, taking its row from the table's `rows`; return why not, or ""."""
    content = cast("BinaryIO", file.file)
    try:
        if is_archive(content):
            runs_services.submit_archive(file=file, **given)
        else:
            tag, name = unpacking.tag_in(content), str(file.name)
            if row := next((each for each in rows if each.is_of(tag, name)), None):
                rows.remove(row)
            values = row.values if row else {}
            runs_services.submit_run(tag=tag, file=file, **given, **values)
    except (Refused, ValueError) as error:
        return f"{readable(str(file.name))}: {error}"
    return ""


def _for_team(request: UserRequest, campaign: Campaign) -> Campaign | None:
    """Return the campaign whose teams an organizer chooses from; None for participants."""
    return campaign if Role.ORGANIZER in roles(request.user, campaign) else None


def _runs_page(request: UserRequest, campaign: Campaign, **sent_form: forms.Form) -> HttpResponse:
    teams = _for_team(request, campaign)
    context: dict[str, Any] = {
        "form": RunForm(for_team=teams),
        "many": RunsForm(for_team=teams, auto_id=MANY_IDS),
        "why_not_submit": why_not(check_can_submit, request.user, campaign),
        "pool_frozen": POOL_FROZEN if Run.objects.has_frozen_pool(campaign) else "",
        "is_over": is_late(campaign, timezone.now()),
        **_runs(request, campaign),
        **sent_form,
    }
    return page(request, "runs/runs.html", campaign, "runs", **context)


@signed_in
@require_safe
def run_states(request: UserRequest, slug: str) -> HttpResponse:
    """Show the part of the page that htmx asks for until every check is over."""
    campaign = guarded(request, slug, check_can_see_runs)
    context = {**_runs(request, campaign), "is_refreshed": True}
    return page(request, "runs/_runs.html", campaign, "runs", **context)


class Chip(NamedTuple):
    """A state or mark that the list can be filtered by."""

    label: str
    n: int
    address: str
    is_chosen: bool


def _chips(request: UserRequest, at: str, tallies: dict[str, int], chosen: str) -> list[Chip]:
    """Return "All", each state and mark that some run has, and the chosen one."""
    query = request.GET.copy()
    query.pop("page", None)
    chips = []
    for name in ("", *Run.State.values, *MARKS):
        label = LABELS.get(name, name.capitalize()) or "All"
        n = tallies[name or "n"]
        query["show"] = name
        if n or name == chosen:
            chips.append(Chip(label, n, f"{at}?{query.urlencode()}", name == chosen))
    return chips


def _runs(request: UserRequest, campaign: Campaign) -> dict[str, Any]:
    """Return what the list and the line above it show."""
    is_organizer = _for_team(request, campaign) is not None
    jobs = _jobs(campaign, None if is_organizer else request.user)
    tallies = Run.objects.visible_to(request.user, campaign).tallies()
    overlaps = overlaps_of(campaign) if is_organizer else {}
    scores = scores_of(request.user, campaign)
    at = reverse("runs:runs", args=[campaign.slug])
    runs = RUNS.page(request, campaign, _sorting(scores, overlaps), at=at)
    chosen = runs.form.cleaned_data.get("show", "")
    is_checking = tallies["waiting"] + tallies["checking"] > 0
    return {
        **_closing(campaign, None if is_organizer else team_of(request.user, campaign)),
        "runs": runs,
        "rows": [(run, overlaps.get(run.pk), scores.by_run.get(run.pk)) for run in runs],
        "measure": scores.measure if any(run.pk in scores.by_run for run in runs) else "",
        "against": scores.against,
        "has_overlaps": any(run.pk in overlaps for run in runs),
        "n_runs": tallies["n"],
        "n_valid": tallies["valid"],
        "n_teams": tallies["n_teams"],
        "n_topics": campaign.topic_set.count(),
        "chips": _chips(request, at, tallies, chosen),
        "filter": runs.form,
        "query": request.GET.urlencode(),
        "jobs": jobs,
        "is_unsettled": is_checking or any(not job.is_finished for job in jobs),
    }


def _jobs(campaign: Campaign, user: User | None) -> list[Job]:
    """Return the latest archives, of a participant their own, and a check of all runs under way."""
    recent = Job.objects.recent(campaign)
    kinds = [unpacking.unpack_runs.name, unpacking.unpack_by_folder.name]
    archives = recent.filter(kind__in=kinds)
    if user:
        archives = archives.filter(created_by=user)
    return [*archives[:3], *recent.filter(kind=checking.recheck_runs.name).unfinished()]


def _closing(campaign: Campaign, team: Team | None) -> dict[str, Any]:
    closes_at = deadline(campaign, team)
    date = Date("", closes_at, is_past=closes_at <= timezone.now()) if closes_at else None
    return {
        "team": team,
        "closes_at": closes_at,
        "closes_in": date.left if date and not date.is_past else "",
        "is_closed": date is not None and date.is_past,
        "is_extended": closes_at != campaign.submission_closes_at,
    }


@signed_in
@require_POST
def recheck_runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug)
    runs_services.recheck_runs(user=request.user, campaign=campaign)
    messages.success(request, "All runs are checked again. Until then the reports stay.")
    return redirect("runs:runs", slug)
