"""The page of a run: its state, its report, and the acts on it."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import FileResponse, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe

from accounts.access import can, check, why_not
from accounts.pages import UserRequest, signed_in
from campaigns.access.campaign import Campaigns
from campaigns.models.campaign import Campaign
from campaigns.models.rounds import topics_in
from campaigns.web.frame import done, guarded, is_shown, open_to_visitors, page
from cleverdon.trec.runs.faults import by_kind
from cleverdon.trec.runs.run import CheckReport
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted
from jobs.acting import stay
from jobs.models import Job
from runs import checking
from runs.access.runs import NOT_POOLED, Runs
from runs.from_above import links_of
from runs.models import Run
from runs.services import runs
from runs.web.run_forms import DescriptionForm, DisqualifyForm, MoveForm, MoveToRoundForm, OutForm


@signed_in
@require_safe
def run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show a run and its report; htmx asks for the state alone until the check is over."""
    campaign, run = _run(request, slug, pk)
    if is_shown(request, _stage_of(run)):
        return HttpResponse(status=204)
    return _run_page(request, campaign, run)


def _stage_of(run: Run) -> str:
    """Return the version of what a page that waits for checks would show anew."""
    kinds = [checking.check_run.name, checking.recheck_run.name]
    jobs = Job.objects.filter(kind__in=kinds, subject_id=run.pk).order_by("pk")
    return version([run.state, list(jobs.values_list("pk", "state"))])


def _run_page(
    request: UserRequest, campaign: Campaign, run: Run, **shown: forms.BaseForm
) -> HttpResponse:
    again = Job.objects.about(checking.recheck_run.name, run.pk)
    why_not_report = why_not(Runs.see_report, request.user, run)
    stored = {} if why_not_report else run.report or {}
    report = CheckReport.from_json(stored) if stored else None
    context: dict[str, Any] = {
        "run": run,
        "stage": _stage_of(run),
        "heading": _heading(run, report),
        "report": report,
        "faults": by_kind(report) if report else [],
        "shows_lines": any(each.get("text") for each in stored.get("errors", [])),
        "why_not_pooled": _why_not_pooled(run),
        "links": links_of(request.user, run),
        "n_topics": len(topics_in(campaign, run.round)),
        "why_not_report": why_not_report if run.report else "",
        "job": Job.objects.about(checking.check_run.name, run.pk),
        "again": again if again and not again.is_finished else None,
        "can_recheck": can(Runs.recheck, request.user, run),
        "can_describe": can(Runs.describe, request.user, run),
        "can_disqualify": can(Runs.disqualify, request.user, run),
        "why_not_withdraw": why_not(Runs.withdraw, request.user, run),
        "why_not_reinstate": why_not(Runs.reinstate, request.user, run),
        "withdraw_form": OutForm(),
        "disqualify_form": DisqualifyForm(auto_id="disqualify_%s"),
        "describe_form": DescriptionForm(instance=run, auto_id="describe_%s"),
        "why_not_move": why_not(Runs.move_to_team, request.user, run),
        "move_form": MoveForm(run=run, auto_id="move_%s"),
        "why_not_change_round": why_not(Runs.move_to_round, request.user, run),
        "round_form": MoveToRoundForm(run=run, auto_id="round_%s"),
        "refusals": list(shown.values()),
        **shown,
    }
    is_part = request.htmx and not shown
    template = "runs/_run_state.html" if is_part else "runs/run.html"
    return page(request, template, campaign, "runs", **context)


def _heading(run: Run, report: CheckReport | None) -> str:
    state = run.State
    headings = {
        state.WAITING: f"{run} waits to be checked",
        state.CHECKING: f"Checking {run}…",
        state.UNCHECKED: f"{run} could not be checked",
    }
    if run.state == state.INVALID and report:
        return f"{run} has {counted(report.n_errors, 'error')}"
    if run.state == state.VALID and report and report.caveat and not report.n_errors:
        return f"{run} is valid, but {report.caveat}"
    return headings.get(state(run.state), f"{run} is {run.state}")


def _why_not_pooled(run: Run) -> str:
    is_missing = run.state == Run.State.VALID and not run.is_pooled
    if is_missing and Run.objects.has_frozen_pool(run.campaign, run.round):
        return f"The pool is frozen without this run. It {NOT_POOLED}"
    return ""


@open_to_visitors
@require_safe
def run_file(request: UserRequest, slug: str, pk: int) -> FileResponse:
    """Download a run that the person may see, or a released one."""
    run = Run.objects.filter(campaign__slug=slug, pk=pk).first()
    if not run or not can(Runs.download, request.user, run):
        _, run = _run(request, slug, pk)
    if request.method == "HEAD":  # nothing is downloaded, so nothing recorded
        return FileResponse(run.file.open("rb"), as_attachment=True, filename=run.file_name)
    file = runs.download_run(user=request.user, run=run)
    return FileResponse(file, as_attachment=True, filename=run.file_name)


@signed_in
@require_safe
def run_errors(request: UserRequest, slug: str, pk: int) -> FileResponse:
    """Download every error that a check finds in the run now."""
    _, run = _run(request, slug, pk)
    check(Runs.see_report, request.user, run)
    name, content_type = f"{run.tag}-errors.csv", "text/csv; charset=utf-8"
    return FileResponse(
        checking.errors_csv(run), as_attachment=True, filename=name, content_type=content_type
    )


@signed_in
@require_POST
def withdraw_run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    _, run = _run(request, slug, pk)
    form = OutForm(request.POST)
    act = partial(runs.withdraw_run, user=request.user, run=run)
    done = f"Run {run} is withdrawn. Its file, report and scores are kept."
    return _act(request, run, form, act, name="withdraw_form", success=done)


@signed_in
@require_POST
def disqualify_run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign, run = _run(request, slug, pk)
    check(Campaigns.organize, request.user, campaign)
    form = DisqualifyForm(request.POST, auto_id="disqualify_%s")
    act = partial(runs.disqualify_run, user=request.user, run=run)
    done = f"Run {run} is disqualified. Its team reads why."
    return _act(request, run, form, act, name="disqualify_form", success=done)


@signed_in
@require_POST
def move_run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign, run = _run(request, slug, pk)
    check(Campaigns.organize, request.user, campaign)
    form = MoveForm(request.POST, run=run, auto_id="move_%s")
    act = partial(runs.move_run, user=request.user, run=run)
    done = f"Run {run} has moved."
    return _act(request, run, form, act, name="move_form", success=done)


@signed_in
@require_POST
def move_to_round(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign, run = _run(request, slug, pk)
    check(Campaigns.organize, request.user, campaign)
    form = MoveToRoundForm(request.POST, run=run, auto_id="round_%s")
    act = partial(runs.move_to_round, user=request.user, run=run)
    return _act(request, run, form, act, name="round_form", success=f"Run {run} has moved.")


@signed_in
@require_POST
def reinstate_run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    _, run = _run(request, slug, pk)
    act = partial(runs.reinstate_run, user=request.user, run=run)
    form = forms.Form(request.POST)
    done = f"Run {run} is back in."
    return _act(request, run, form, act, name="reinstate_form", success=done)


@signed_in
@require_POST
def recheck_run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    _, run = _run(request, slug, pk)
    act = partial(runs.recheck_run, user=request.user, run=run)
    form = forms.Form(request.POST)
    stays = " Until then its report stays." if run.is_settled else ""
    done = f"Run {run} is checked again.{stays}"
    return _act(request, run, form, act, name="recheck_form", success=done)


@signed_in
@require_POST
@transaction.atomic
def describe_run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign, run = _run(request, slug, pk)
    # Locked: what the form compares with what the page showed is what the service changes.
    stay(campaign.pk)
    locked = Run.objects.select_for_update(of=["self"], no_key=True).get(pk=pk)
    form = DescriptionForm(request.POST, instance=locked, auto_id="describe_%s")

    def act(**_: object) -> None:
        runs.describe_run(user=request.user, run=run, changes=form.changes())

    done = "The description is saved."
    return _act(request, run, form, act, name="describe_form", success=done)


def _act(
    request: UserRequest, run: Run, form: Any, act: Callable[..., Any], *, name: str, success: str
) -> HttpResponse:
    """Act on the run and go back to it; a refusal is shown in the form `name` of its page."""
    if form.is_valid() and done(form, partial(act, **form.cleaned_data)):
        messages.success(request, success)
        return redirect("runs:run", run.campaign.slug, run.pk)
    campaign, now = _run(request, run.campaign.slug, run.pk)
    return _run_page(request, campaign, now, **{name: form})


def _run(request: UserRequest, slug: str, pk: int) -> tuple[Campaign, Run]:
    """Return a run that the person may see; for others it does not exist."""
    campaign = guarded(request, slug, Runs.see_list)
    visible = Run.objects.visible_to(request.user, campaign)
    run = get_object_or_404(visible.select_related("campaign", "out_by"), pk=pk)
    return campaign, run
