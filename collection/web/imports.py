"""An import's page: what a file would do, and what came of it."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import why_not
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.topics import who_sees_new_topics
from campaigns.from_above import progress_of
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, done, guarded, is_shown, page, sentences
from cleverdon.trec.versions import version
from collection import tasks
from collection.access import Imports
from collection.importing import counts
from collection.models.imports import Import
from collection.services import imports
from collection.uses import later_than
from collection.web.forms import ConfirmForm, UndoForm
from jobs.models import Job

HEADINGS = {
    Import.State.READING: "Reading {}…",
    Import.State.UNREADABLE: "{} cannot be read",
    Import.State.IMPORTING: "Importing {}…",
    Import.State.INTERRUPTED: "The import of {} stopped half-way",
    Import.State.UNDOING: "Undoing the import of {}…",
    Import.State.UNDONE: "The import of {} is undone",
    Import.State.DISCARDED: "{} was discarded",
    Import.State.IMPORTED: "{} is imported",
}
LEADS = {
    Import.State.READING: "A worker reads the file. Nothing is written before you confirm it.",
    Import.State.READY: "Nothing has been written yet.",
    Import.State.IMPORTING: "A worker imports the file.",
    Import.State.UNDOING: "A worker undoes the import.",
}
WORK = {
    Import.State.READING: tasks.read_import,
    Import.State.UNREADABLE: tasks.read_import,
    Import.State.UNDOING: tasks.undo_import,
}


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show what the import would do, or did; a POST confirms it."""
    campaign, row = _guarded(request, slug, pk)
    if is_shown(request, _stage_of(row, _job_of(row))):
        return HttpResponse(status=204)
    form = ConfirmForm(**sent(request))
    confirm = partial(imports.confirm_import, user=request.user, row=row)
    if form.is_valid() and done(form, partial(confirm, **form.cleaned_data)):
        return redirect("collection:import", slug, pk)
    return _page(request, campaign, pk, form)


@signed_in
@require_POST
def discard(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign, row = _guarded(request, slug, pk)
    if refusal := attempt(imports.discard_import, user=request.user, row=row):
        return _page(request, campaign, pk, refusal=refusal)
    messages.success(request, f"{row} was discarded. Nothing was imported.")
    return redirect(f"collection:{row.kind}", slug)


@signed_in
@require_POST
def undo(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign, row = _guarded(request, slug, pk)
    form = UndoForm(request.POST)
    act = partial(imports.undo_import, user=request.user, row=row)
    if form.is_valid() and done(form, partial(act, **form.cleaned_data)):
        return redirect("collection:import", slug, pk)
    refusal = " ".join(map(str, form.non_field_errors()))
    return _page(request, campaign, pk, refusal=refusal, undo_form=form)


def _guarded(request: UserRequest, slug: str, pk: int) -> tuple[Campaign, Import]:
    campaign = guarded(request, slug, Imports.see)
    return campaign, get_object_or_404(Import, campaign=campaign, pk=pk)


def _job_of(row: Import) -> Job | None:
    work = WORK.get(Import.State(row.state), tasks.write_import)
    return Job.objects.about(work.name, row.pk)


def _stage_of(row: Import, job: Job | None) -> str:
    """Return the version of what a page that waits for an import would show anew."""
    return version(row.state, job.stage if job else "")


def _page(
    request: UserRequest,
    campaign: Campaign,
    pk: int,
    form: ConfirmForm | None = None,
    *,
    refusal: str = "",
    undo_form: UndoForm | None = None,
) -> HttpResponse:
    """Show the import as it is now, with the form for what is shown now."""
    row = Import.objects.select_related("created_by", "confirmed_by").get(pk=pk)
    form = form or ConfirmForm()
    is_interrupted = row.state == Import.State.INTERRUPTED
    is_untouched = is_interrupted and not any(counts(row))
    state = Import.State(row.state)
    job = _job_of(row)
    context = {
        "row": row,
        "heading": _heading(row, is_untouched=is_untouched),
        "lead": LEADS.get(state, ""),
        "back": reverse(f"collection:{row.kind}", args=[campaign.slug]),
        "form": form,
        "undo_form": undo_form or UndoForm(),
        "refusal": refusal or sentences(form),
        "is_open": is_interrupted or row.state == Import.State.READY,
        "is_untouched": is_untouched,
        "job": job,
        "stage": _stage_of(row, job),
        "why_not_undo": why_not(Imports.undo, request.user, row),
        "later": later_than(row),
        "who_sees": _who_sees(campaign, row),
        "is_frozen": bool(progress_of(campaign)),
        "can_undo": not is_untouched
        and row.state in {Import.State.IMPORTED, Import.State.INTERRUPTED},
    }
    return page(request, "collection/import.html", campaign, row.kind, **context)


def _who_sees(campaign: Campaign, row: Import) -> str:
    """Say who would see the new topics of a file; "" where it has none."""
    is_open = row.kind == Import.Kind.TOPICS and row.state == Import.State.READY
    return who_sees_new_topics(campaign) if is_open and row.preview["n_new"] else ""


def _heading(row: Import, *, is_untouched: bool) -> str:
    if row.state == Import.State.READY:
        n_new, n_changed = row.preview["n_new"], row.preview["n_changed"]
        if not n_new and not n_changed:
            return f"Nothing new in {row.file_name}"
        noun = row.kind[:-1] if n_new == 1 else row.kind
        return f"{n_new:,} new {noun}, {n_changed:,} changed"
    heading = HEADINGS[Import.State(row.state)].format(row.file_name)
    return heading.replace("half-way", "before anything was written") if is_untouched else heading
