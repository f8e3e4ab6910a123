"""Pages of runs: upload, list, state and report of one, and what becomes of it."""

from datetime import datetime
from functools import partial
from typing import Any, BinaryIO, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.core.files import File
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import Refused, why_not
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.roles import check_can_organize, roles
from campaigns.access.windows import deadline
from campaigns.dates import Date
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import natural
from campaigns.models.people import Role, Team
from campaigns.web.frame import done, guarded, listed, open_to_visitors, page
from campaigns.web.sorting import Column, Sorting
from jobs.acting import stay
from jobs.models import Job
from runs import checking, unpacking
from runs.access.runs import (
    POOL_FROZEN,
    check_can_see_released_runs,
    check_can_see_runs,
    check_can_submit,
    released_of,
    team_of,
)
from runs.core.run_table import Described
from runs.from_above import overlaps_of, scores_of
from runs.models import MARKS, Run
from runs.services import runs as runs_services
from runs.web.extension_forms import ExtensionForm, zone_shown
from runs.web.run_forms import RunFilterForm, RunForm, RunsForm
from trec.archives import is_archive
from trec.streams import readable
from trec.words import counted

MAX_SAID = 10
LABELS = {"warned": "With warnings"}
# Two forms are on one page.
MANY_IDS = "many_%s"
SORTING = Sorting(
    "run-list",
    unasked="-Uploaded",
    run=Column(natural("tag")),
    team=Column(natural("team__name")),
    state=Column("state"),
    topics_answered=Column("n_topics", has_gaps=True),
    lines=Column("n_lines", is_number=True, has_gaps=True),
    errors=Column("n_errors", is_number=True, has_gaps=True),
    warnings=Column("n_warnings", is_number=True, has_gaps=True),
    uploaded=Column("submitted_at", is_date=True),
)


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
    """Show the runs that are released: whose they are, how they were made, and their files."""
    campaign = guarded(request, slug, check_can_see_released_runs)
    context = {"runs": listed(request, released_of(campaign))}
    return page(request, "runs/released_runs.html", campaign, "runs", **context)


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
    rows = list(form.described)
    faults = [_taken(request, campaign, whose, each, rows) for each in files]
    said = [*form.faults, *filter(None, faults), *(row.is_of_none for row in rows)]
    if n_taken := faults.count(""):
        messages.success(request, f"{counted(n_taken, 'file')} uploaded.")
    for fault in said[:MAX_SAID]:
        messages.error(request, fault)
    if more := len(said[MAX_SAID:]):
        messages.error(request, f"And {counted(more, 'more file')} not taken.")
    return redirect("runs:runs", slug)


def _taken(
    request: UserRequest,
    campaign: Campaign,
    whose: dict[str, Any],
    file: File[bytes],
    rows: list[Described],
) -> str:
    """Take one of many files, and of the table's rows the one about it; return why not, with its name."""
    content = cast("BinaryIO", file.file)
    given: dict[str, Any] = {"user": request.user, "campaign": campaign, **whose}
    try:
        if is_archive(content):
            runs_services.submit_archive(file=file, **given)
        else:
            tag, name = unpacking.tag_in(content), str(file.name)
            if row := next((each for each in rows if each.is_of(tag, name)), None):
                rows.remove(row)
            said = row.said if row else {}
            runs_services.submit_run(tag=tag, file=file, **given, **said)
    except (Refused, ValueError) as error:
        return f"{readable(str(file.name))}: {error}"
    return ""


def _for_team(request: UserRequest, campaign: Campaign) -> Campaign | None:
    """Return the campaign whose teams an organizer chooses from; None for participants, who have one."""
    return campaign if Role.ORGANIZER in roles(request.user, campaign) else None


def _runs_page(request: UserRequest, campaign: Campaign, **sent_form: forms.Form) -> HttpResponse:
    teams = _for_team(request, campaign)
    context: dict[str, Any] = {
        "form": RunForm(for_team=teams),
        "many": RunsForm(for_team=teams, auto_id=MANY_IDS),
        "why_not_submit": why_not(check_can_submit, request.user, campaign),
        "pool_frozen": POOL_FROZEN if Run.objects.has_frozen_pool(campaign) else "",
        "is_over": checking.is_late(campaign, timezone.now()),
        **_runs(request, campaign),
        **sent_form,
    }
    return page(request, "runs/runs.html", campaign, "runs", **context)


@signed_in
@require_safe
def run_states(request: UserRequest, slug: str) -> HttpResponse:
    """Show the table and what is said above it, which htmx asks for until every check is over."""
    campaign = guarded(request, slug, check_can_see_runs)
    context = {**_runs(request, campaign), "is_refreshed": True}
    return page(request, "runs/_runs.html", campaign, "runs", **context)


class Chip(NamedTuple):
    """A kind of runs that the list can be narrowed to."""

    label: str
    n: int
    address: str
    is_chosen: bool


def _chips(request: UserRequest, at: str, tallies: dict[str, int], chosen: str) -> list[Chip]:
    """Return the kinds that there are any of, each with its number, and the one that is chosen."""
    kinds = [("", "All", tallies["n"])]
    kinds += [
        (name, LABELS.get(name, name.capitalize()), tallies[name])
        for name in (*Run.State.values, *MARKS)
    ]
    return [
        Chip(label, n, f"{at}?{_narrowed(request, name)}", name == chosen)
        for name, label, n in kinds
        if n or name == chosen
    ]


def _narrowed(request: UserRequest, show: str) -> str:
    query = request.GET.copy()
    query.pop("page", None)
    query["show"] = show
    return query.urlencode()


def _left(closes_at: datetime | None) -> str:
    """Return how long it is until then; "" if it is over, or never."""
    if closes_at is None or closes_at <= timezone.now():
        return ""
    return Date("", closes_at, is_past=False).left


def _runs(request: UserRequest, campaign: Campaign) -> dict[str, Any]:
    visible = Run.objects.visible_to(request.user, campaign)
    choice = RunFilterForm(request.GET)
    chosen = choice.cleaned_data if choice.is_valid() else {}
    archives = Job.objects.recent(campaign).filter(
        kind__in=[unpacking.unpack_runs.name, unpacking.unpack_by_folder.name]
    )
    if not _for_team(request, campaign):
        archives = archives.filter(created_by=request.user)
    recheck = Job.objects.recent(campaign).filter(kind=checking.recheck_runs.name)
    jobs = [*archives[:3], *recheck.unfinished()]
    tallies = visible.tallies()
    overlaps = overlaps_of(campaign) if _for_team(request, campaign) else {}
    scores = scores_of(request.user, campaign)
    at = reverse("runs:runs", args=[campaign.slug])
    team = None if _for_team(request, campaign) else team_of(request.user, campaign)
    closes_at = deadline(campaign, team)
    return {
        "team": team,
        "closes_at": closes_at,
        "closes_in": _left(closes_at),
        "is_closed": closes_at is not None and closes_at <= timezone.now(),
        "is_extended": closes_at != campaign.submission_closes_at,
        "runs": (shown := listed(request, visible.for_list(**chosen), SORTING, at=at)),
        "rows": [(run, overlaps.get(run.pk), scores.by_run.get(run.pk)) for run in shown],
        "measure": scores.measure if any(run.pk in scores.by_run for run in shown) else "",
        "against": scores.against,
        "has_overlaps": any(run.pk in overlaps for run in shown),
        "n_runs": tallies["n"],
        "n_valid": tallies["valid"],
        "n_teams": tallies["n_teams"],
        "n_topics": campaign.topic_set.count(),
        "chips": _chips(request, at, tallies, chosen.get("show", "")),
        "filter": choice,
        "query": request.GET.urlencode(),
        "jobs": jobs,
        "is_unsettled": tallies["waiting"] + tallies["checking"] > 0
        or any(not job.is_finished for job in jobs),
    }


@signed_in
@require_POST
def recheck_runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug)
    runs_services.recheck_runs(user=request.user, campaign=campaign)
    messages.success(request, "All runs are checked again. Until then the reports stay.")
    return redirect("runs:runs", slug)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@transaction.atomic
def extensions(request: UserRequest, slug: str) -> HttpResponse:
    """Show each team's deadline, and change one."""
    campaign = guarded(request, slug, check_can_organize)
    # Locked: what the form compares with what the page showed is what the service changes.
    stay(campaign.pk)
    teams = Team.objects.locked(campaign)
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    with timezone.override(zone_shown(request.POST, campaign)):
        form = ExtensionForm(**sent(request), campaign=campaign, teams=teams)
        is_valid = form.is_valid()
    if is_valid:
        team, changes = form.cleaned_data["team"], form.changes()
        extend = partial(runs_services.extend_deadline, user=request.user, team=team)
        if not changes or done(form, partial(extend, **changes), field="closes_at"):
            messages.success(request, f"Saved for team {team}.")
            return redirect("runs:extensions", slug)
    extended = Team.objects.filter(campaign=campaign).extended().in_order()
    closes_at = campaign.submission_closes_at
    is_over = closes_at is not None and closes_at <= timezone.now()
    context: dict[str, Any] = {"form": form, "teams": extended, "is_over": is_over}
    return page(request, "runs/extensions.html", campaign, "runs", **context)
