"""Pages of runs: upload, state, report, withdrawal."""

from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import Refused, can, why_not
from accounts.pages import UserRequest, sent, signed_in
from campaigns import services, tasks
from campaigns.access import (
    check_can_see_run,
    check_can_see_runs,
    check_can_submit,
    check_can_withdraw,
)
from campaigns.forms import RunForm
from campaigns.models import Campaign, Job, Run
from campaigns.pages import guarded, page
from trec.runs.run import CheckReport


@signed_in
@require_http_methods(["GET", "POST"])
def runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(
        request,
        slug,
        check_can_submit if request.method == "POST" else check_can_see_runs,
    )
    form = RunForm(**sent(request))
    if form.is_valid():
        try:
            run = services.submit_run(
                user=request.user, campaign=campaign, **form.cleaned_data
            )
        except Refused as refusal:
            form.add_error("tag", str(refusal))
        else:
            return redirect("campaigns:run", slug, run.pk)
    context: dict[str, Any] = {
        "form": form,
        **_runs(request, campaign),
        "why_not_submit": why_not(check_can_submit, request.user, campaign),
    }
    return page(request, "campaigns/runs.html", campaign, "runs", **context)


@signed_in
@require_GET
def run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show a run with its check report; htmx asks for the state alone until the check is over."""
    campaign, run = _run(request, slug, pk)
    context: dict[str, Any] = {
        "run": run,
        "report": CheckReport.from_json(run.report) if run.report else None,
        "job": Job.objects.about(tasks.check_run.name, run.pk),
        "can_withdraw": can(check_can_withdraw, request.user, run),
    }
    template = "campaigns/_run_state.html" if request.htmx else "campaigns/run.html"
    return page(request, template, campaign, "runs", **context)


@signed_in
@require_GET
def run_states(request: UserRequest, slug: str) -> HttpResponse:
    """Show the table alone, which htmx asks for until every check is over."""
    campaign = guarded(request, slug, check_can_see_runs)
    return page(
        request, "campaigns/_runs.html", campaign, "runs", **_runs(request, campaign)
    )


def _runs(request: UserRequest, campaign: Campaign) -> dict[str, Any]:
    runs = Run.objects.visible_to(request.user, campaign)
    return {"runs": runs, "is_unsettled": runs.unsettled().exists()}


@signed_in
@require_GET
def run_file(request: UserRequest, slug: str, pk: int) -> FileResponse:
    _, run = _run(request, slug, pk)
    file = services.download_run(user=request.user, run=run)
    return FileResponse(file, as_attachment=True, filename=run.file_name)


@signed_in
@require_POST
def withdraw_run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    _, run = _run(request, slug, pk)
    services.withdraw_run(user=request.user, run=run)
    messages.success(request, f"Run {run} is withdrawn. Its file and report are kept.")
    return redirect("campaigns:runs", slug)


def _run(request: UserRequest, slug: str, pk: int) -> tuple[Campaign, Run]:
    campaign = guarded(request, slug, check_can_see_runs)
    run = get_object_or_404(
        Run.objects.select_related("team", "submitted_by", "campaign"),
        campaign=campaign,
        pk=pk,
    )
    check_can_see_run(request.user, run)
    return campaign, run
