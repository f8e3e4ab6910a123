"""Pages of qrels that are imported: what an uploaded file holds, before it becomes a version."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import get_text_list
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import why_not
from accounts.pages import UserRequest, sent, signed_in
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, done, guarded, page
from cleverdon.trec.words import verb
from jobs.models import Job
from qrels import tasks
from qrels.access import QrelsImports
from qrels.models import Qrels, QrelsImport
from qrels.services import importing
from qrels.web.forms import ImportForm
from qrels.web.versions import grade_rows

MOST_NAMED = 5  # grades in a sentence


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def qrels_import(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show what an uploaded file holds; import it as the next version."""
    campaign = guarded(request, slug, QrelsImports.see)
    upload = _upload(campaign, pk)
    form = _form(request, campaign, upload)
    if form.is_valid():
        act = partial(importing.import_qrels, user=request.user, upload=upload)
        if made := done(form, partial(act, **form.cleaned_data)):
            messages.success(
                request, f"Imported {upload.file_name} as {made}. Score the runs next."
            )
            return redirect("qrels:qrels", slug)
        upload = _upload(campaign, pk)
    context: dict[str, Any] = {
        "upload": upload,
        "form": form,
        "grades": grade_rows(campaign.scale, upload.facts.pairs) if upload.facts else [],
        "job": Job.objects.about(tasks.read_uploaded_qrels.name, upload.pk),
        "last": Qrels.objects.last_number(campaign),
        "why_not": why_not(QrelsImports.confirm, request.user, upload),
        "off_scale": _off_scale(campaign, upload),
        "twin": Qrels.objects.filter(campaign=campaign, sha256=upload.sha256).first(),
    }
    return page(request, "qrels/qrels_import.html", campaign, "qrels", **context)


def _off_scale(campaign: Campaign, upload: QrelsImport) -> str:
    """Name the grades that the campaign's scale lacks; "" if it has them all."""
    scale = [grade.value for grade in campaign.scale.grades]
    grades = upload.facts.other_than(scale) if upload.facts else []
    if not grades:
        return ""
    more = [f"{len(grades) - MOST_NAMED:,} more"] if len(grades) > MOST_NAMED else []
    named = get_text_list([*map(str, grades[:MOST_NAMED]), *more], "and")
    noun = "Grade" if len(grades) == 1 else "Grades"
    is_not = f"{verb(len(grades), 'is')} not in this campaign's scale"
    return f"{noun} {named} {is_not}, and can be imported all the same."


def _upload(campaign: Campaign, pk: int) -> QrelsImport:
    uploads = QrelsImport.objects.select_related("campaign", "created_by", "qrels")
    return get_object_or_404(uploads, campaign=campaign, pk=pk)


def _form(request: UserRequest, campaign: Campaign, upload: QrelsImport) -> ImportForm:
    highest = max(1, upload.facts.highest if upload.facts else 1)
    arguments = {name: value for name, value in sent(request).items() if name == "data"}
    return ImportForm(**arguments, highest=highest, usual=campaign.level)


@signed_in
@require_POST
def discard_qrels(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, QrelsImports.discard)
    upload = _upload(campaign, pk)
    if refusal := attempt(importing.discard_qrels, user=request.user, upload=upload):
        messages.error(request, refusal)
        return redirect("qrels:qrels_import", slug, pk)
    messages.success(request, f"{upload.file_name} is discarded.")
    return redirect("qrels:qrels", slug)
