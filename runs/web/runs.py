"""Upload runs, one or many at once, and have all of them checked again."""

from functools import partial
from typing import Any, BinaryIO, cast

from django.contrib import messages
from django.core.files import File
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import Refused, can, why_not
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.web.frame import done, guarded
from runs import unpacking
from runs.access.runs import check_can_see_runs, check_can_submit
from runs.core.run_table import RunRow
from runs.services import runs as runs_services
from runs.web.run_list import runs_page
from runs.web.upload_forms import RunForm, RunsForm
from trec.archives import is_archive
from trec.streams import readable
from trec.words import counted

MAX_NAMED = 10  # files that are not taken


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_see_runs)
    organizes = can(check_can_organize, request.user, campaign)
    refusal = why_not(check_can_submit, request.user, campaign)
    form = RunForm(**sent(request), for_team=campaign if organizes else None)
    if form.is_bound and refusal:
        form.add_error(None, refusal)
    elif form.is_valid():
        submit = partial(runs_services.submit_run, user=request.user, campaign=campaign)
        if run := done(form, partial(submit, **form.cleaned_data), field="tag"):
            return redirect("runs:run", slug, run.pk)
    return runs_page(request, campaign, organizes, refusal, form=form)


@signed_in
@require_http_methods(["POST"])
def upload_runs(request: UserRequest, slug: str) -> HttpResponse:
    """Take many runs at once: each file by itself, archives by a worker."""
    campaign = guarded(request, slug, check_can_see_runs)
    organizes = can(check_can_organize, request.user, campaign)
    refusal = why_not(check_can_submit, request.user, campaign)
    form = RunsForm(**sent(request), for_team=campaign if organizes else None)
    if not form.is_valid() or refusal:
        form.add_error(None, refusal or [])
        return runs_page(request, campaign, organizes, refusal, many=form)
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


@signed_in
@require_POST
def recheck_runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug)
    runs_services.recheck_runs(user=request.user, campaign=campaign)
    messages.success(request, "All runs are checked again. Until then the reports stay.")
    return redirect("runs:runs", slug)
