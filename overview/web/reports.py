"""The page of reports, and their files."""

import zipfile
from functools import partial
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.web.frame import done, guarded, page
from evaluation.access import Scores
from evaluation.models.scores import Evaluation
from evaluation.tables import file_stamp
from jobs.models import Job
from overview.services.reports import request_report
from overview.tasks import write_report

# The archive, and what is taken out of it to be read at once.
TYPES = {"zip": "application/zip", "pdf": "application/pdf", "html": "text/html; charset=utf-8"}


class ReportForm(forms.Form):
    """Which evaluation a report is on."""

    evaluation = forms.ModelChoiceField(
        Evaluation.objects.none(),
        error_messages={
            "required": "Choose scores.",
            "invalid_choice": "There are no such scores.",
        },
    )


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: UserRequest, slug: str) -> HttpResponse:
    """Offer the report on an evaluation: make it, and download it."""
    campaign = guarded(request, slug, Scores.report)
    evaluations = list(Evaluation.objects.front_first(campaign))
    # The page without a choice shows no fault.
    given = request.POST if request.method == "POST" else request.GET or None
    form = ReportForm(given)
    form.fields["evaluation"].queryset = Evaluation.objects.finished(campaign)  # type: ignore[attr-defined]
    chosen: Evaluation | None = next(iter(evaluations), None)
    if form.is_valid():
        chosen = asked = form.cleaned_data["evaluation"]
        act = partial(request_report, user=request.user, evaluation=asked)
        if request.method == "POST" and done(form, act):
            return redirect(f"{reverse('report', args=[slug])}?evaluation={asked.pk}")
    context: dict[str, Any] = {
        "form": form,
        "evaluations": evaluations,
        "evaluation": chosen,
        "job": Job.objects.about(write_report.name, chosen.pk) if chosen else None,
        "made": newest_report(chosen) if chosen else None,
        "kinds": list(TYPES),
        "stamp": file_stamp(chosen) if chosen else "",
    }
    return page(request, "overview/report.html", campaign, "leaderboard", **context)


def newest_report(evaluation: Evaluation) -> Job | None:
    """Return the job that made the newest report on an evaluation."""
    jobs = Job.objects.filter(kind=write_report.name, subject_id=evaluation.pk)
    return jobs.exclude(file="").order_by("-pk").first()


def report_part(made: Job, kind: str) -> bytes:
    """Return what a job has made: all its files in an archive, or the overview alone."""
    with made.file.open("rb") as archive:
        if kind == "zip":
            return bytes(archive.read())
        return zipfile.ZipFile(archive).read(f"overview.{kind}")


@signed_in
@require_safe
def report_file(request: UserRequest, slug: str, pk: int, kind: str) -> HttpResponse:
    """Download the newest report on an evaluation: all its files, or the overview alone."""
    campaign = guarded(request, slug, Scores.report)
    evaluation = get_object_or_404(Evaluation.objects.finished(campaign), pk=pk)
    made = newest_report(evaluation)
    if made is None or kind not in TYPES:
        raise Http404
    content = report_part(made, kind)
    response = HttpResponse(content, content_type=TYPES[kind])
    name = f"{slug}-report-{made.about}.{kind}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
