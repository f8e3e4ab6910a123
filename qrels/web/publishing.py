"""Pages of qrels."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import can, check, why_not
from accounts.pages import UserRequest, sent, signed_in
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.sharing import SharedQueue
from assess.web.records import send_file
from campaigns.access.campaign import Campaigns
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, done, guarded, open_to_visitors, page
from cleverdon.trec.words import counted
from jobs.models import Job
from pooling.models.pools import Pool
from qrels.access import QrelsImports, QrelsVersions, versions_shown
from qrels.models import Qrels, QrelsImport
from qrels.rows import QrelsQuerySet
from qrels.samples import has_one_rate
from qrels.services import importing, publishing
from qrels.services.kept_judgments import download_kept_judgments
from qrels.tasks import ASKS
from qrels.web.estimates import estimates
from qrels.web.files import FORMS, file_with_rounds, sampled_file
from qrels.web.forms import PublishForm, UploadForm, WithdrawForm
from qrels.web.versions import changed_since, grade_rows, grades_drawn, version_rows


@open_to_visitors
@require_safe
def qrels(request: UserRequest, slug: str) -> HttpResponse:
    """Show organizers all versions and what they can do, others the released ones."""
    campaign = guarded(request, slug, QrelsVersions.see_list)
    if can(Campaigns.organize, request.user, campaign):
        return _qrels(request, campaign)
    context = {"versions": versions_shown(request.user, campaign)}
    return page(request, "qrels/released_qrels.html", campaign, "qrels", **context)


def _qrels(request: UserRequest, campaign: Campaign, **forms_sent: forms.Form) -> HttpResponse:
    every = Qrels.objects.filter(campaign=campaign)
    versions = list(every.select_related("published_by").with_partners())
    uploads = QrelsImport.objects.filter(campaign=campaign).pending()
    pool = Pool.objects.of(campaign)
    job = publishing.publishing_job(campaign)
    context: dict[str, Any] = {
        "publish_form": _publish_form(campaign, job),
        "publishing": job,
        "last": Qrels.objects.last_number(campaign),
        "upload_form": UploadForm(user=request.user, campaign=campaign),
        "rows": version_rows(versions),
        "drawn": grades_drawn(campaign.scale, versions),
        "newest": Qrels.objects.newest(campaign),
        "uploads": uploads.select_related("created_by"),
        "why_not_publish": why_not(QrelsVersions.publish, request.user, campaign),
        "has_shared": SharedQueue.objects.filter(topic__campaign=campaign).exists(),
        "n_official": Assignment.objects.n_official(campaign),
        "n_pooled": pool.n_entries if pool else 0,
        "n_earlier": Judgment.objects.n_on_earlier(campaign),
        **forms_sent,
    }
    return page(request, "qrels/qrels.html", campaign, "qrels", **context)


def _publish_form(campaign: Campaign, job: Job | None) -> PublishForm:
    """Return the form, with what a worker was refused until it is accepted."""
    if job is None or job.about != ASKS:
        return PublishForm(campaign=campaign)
    form = PublishForm(job.options, campaign=campaign)
    form.add_error("accepts", job.outcome)
    return form


@signed_in
@require_POST
def publish_qrels(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Campaigns.organize)
    form = PublishForm(request.POST, campaign=campaign)
    if form.is_valid():
        act = partial(publishing.request_publishing, user=request.user, campaign=campaign)
        if published := done(form, partial(act, **form.cleaned_data)):
            if isinstance(published, Qrels):
                messages.success(request, _added("Published", published))
            return redirect("qrels:qrels", slug)
    return _qrels(request, campaign, publish_form=form)


def _added(verb: str, version: Qrels) -> str:
    judgments = f"{counted(version.n_judgments, version.unit)}, relevant from grade {version.level}"
    return f"{verb} {version} with {judgments}. Score the runs next."


@signed_in
@require_POST
def upload_qrels(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, QrelsImports.upload)
    form = UploadForm(request.POST, request.FILES, user=request.user, campaign=campaign)
    if form.is_valid():
        act = partial(importing.upload_qrels, user=request.user, campaign=campaign)
        if upload := done(form, partial(act, **form.cleaned_data)):
            return redirect("qrels:qrels_import", slug, upload.pk)
    return _qrels(request, campaign, upload_form=form)


@open_to_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def version(request: UserRequest, slug: str, number: int) -> HttpResponse:
    """Show one version: what it holds, and to organizers the form that withdraws it."""
    is_post = request.method == "POST"
    campaign = guarded(request, slug, Campaigns.organize if is_post else QrelsVersions.see_list)
    shown = versions_shown(request.user, campaign)
    people = "published_by", "withdrawn_by", "pool"
    qrels = get_object_or_404(shown.select_related(*people), number=number)
    form = WithdrawForm(**sent(request))
    if form.is_valid():
        act = partial(publishing.withdraw_qrels, user=request.user, qrels=qrels)
        if done(form, partial(act, **form.cleaned_data)):
            messages.success(request, f"Qrels v{number} are withdrawn.")
            return redirect("qrels:version", slug, number)
        qrels.refresh_from_db()
    organizes = can(Campaigns.organize, request.user, campaign)
    versions = Qrels.objects.filter(campaign=campaign) if organizes else Qrels.objects.none()
    others = versions.exclude(pk=qrels.pk)
    before = _partner(request, qrels, others)
    context = {
        "qrels": qrels,
        "form": form,
        "estimates": estimates(request.user, qrels),
        "has_one_rate": qrels.is_sample and has_one_rate(qrels),
        "grades": grade_rows(campaign.scale, qrels.grade_counts),
        "before": before,
        "others": [(each.number, _label(each)) for each in others],
        "change": changed_since(qrels, before),
    }
    return page(request, "qrels/version.html", campaign, "qrels", **context)


def _label(version: Qrels) -> str:
    """Return "v3, imported, withdrawn"."""
    marks = (mark for mark in version.marks if mark != "preliminary")
    return ", ".join([f"v{version.number}", *marks])


def _partner(request: UserRequest, qrels: Qrels, others: QrelsQuerySet) -> Qrels | None:
    """Return the version to compare with: the one requested, or else the last of its kind."""
    asked = request.GET.get("with", "")
    kind = others.standing_before(qrels.campaign, qrels.source, qrels.basis, qrels.number)
    return next((each for each in others if str(each.number) == asked), kind.first())


@signed_in
@require_POST
def reinstate_qrels(request: UserRequest, slug: str, number: int) -> HttpResponse:
    campaign = guarded(request, slug, QrelsVersions.reinstate)
    qrels = get_object_or_404(Qrels, campaign=campaign, number=number)
    if refusal := attempt(publishing.reinstate_qrels, user=request.user, qrels=qrels):
        messages.error(request, refusal)
    else:
        messages.success(request, f"Qrels v{number} are in use again.")
    return redirect("qrels:version", slug, number)


@open_to_visitors
@require_safe
def qrels_file(
    request: UserRequest, slug: str, number: int
) -> FileResponse | StreamingHttpResponse:
    """Send a version; with `?round` its second column is the round of each document.

    With `?sample` or `?strata` it is that of a sample with what was not judged.
    """
    campaign = guarded(request, slug, QrelsVersions.see_list)
    version = get_object_or_404(versions_shown(request.user, campaign), number=number)
    stem = "-".join([f"{slug}-qrels-v{number}", *version.marks])
    for form in FORMS:
        if form in request.GET:
            return sampled_file(version, form, stem)
    if "round" in request.GET:
        return file_with_rounds(request.user, version, stem)
    name = f"{stem}.txt"
    if request.method == "HEAD":  # nothing is downloaded, so nothing recorded
        return FileResponse(version.file.open("rb"), as_attachment=True, filename=name)
    file = publishing.download_qrels(user=request.user, qrels=version)
    return FileResponse(file, as_attachment=True, filename=name)


@signed_in
@require_safe
def kept_judgments(request: UserRequest, slug: str, number: int) -> StreamingHttpResponse:
    """Send the judgments that a version rests on."""
    campaign = guarded(request, slug, Campaigns.organize)
    version = get_object_or_404(Qrels, campaign=campaign, number=number)
    check(QrelsVersions.see_judgments, request.user, version)
    download = partial(download_kept_judgments, qrels=version)
    name = "-".join([f"{slug}-qrels-v{number}", *version.marks, "judgments.csv"])
    return send_file(request, name, download)
