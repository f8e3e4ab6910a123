"""Pages of agreement and of qrels."""

from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_GET, require_POST

from accounts.access import why_not
from accounts.pages import UserRequest, signed_in
from assess import services
from assess.access import check_can_publish
from assess.core.agreement import agreement_report
from assess.models import Assignment, Judgment, Qrels
from campaigns.access import check_can_organize
from campaigns.pages import guarded, page

# Agreement and qrels


@signed_in
@require_GET
def agreement(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    scale = campaign.scale
    rows = Judgment.objects.twice_judged(campaign)
    grades = [grade.value for grade in scale.grades]
    report = agreement_report(rows, grades=grades, level=scale.level)
    context: dict[str, Any] = {
        "report": report,
        "scale": scale,
        "binary_note": f"Relevant means grade {scale.level} and above.",
        "pairs": [(" and ".join(pair), each) for pair, each in report.by_pair.items()],
        "topics": list(report.by_topic.items()),
    }
    return page(request, "assess/agreement.html", campaign, "agreement", **context)


@signed_in
@require_GET
def qrels(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    versions = Qrels.objects.filter(campaign=campaign).select_related("published_by")
    context: dict[str, Any] = {
        "versions": versions,
        "why_not_publish": why_not(check_can_publish, request.user, campaign),
        "n_official": Assignment.objects.n_official(campaign),
    }
    return page(request, "assess/qrels.html", campaign, "qrels", **context)


@signed_in
@require_POST
def publish_qrels(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug)
    published = services.publish_qrels(user=request.user, campaign=campaign)
    n = published.n_judgments
    counted = f"{n:,} judgment{pluralize(n)}"
    sentence = f"Published {published} with {counted}. Score the runs next."
    messages.success(request, sentence)
    return redirect("assess:qrels", slug)


@signed_in
@require_GET
def qrels_file(request: UserRequest, slug: str, number: int) -> FileResponse:
    campaign = guarded(request, slug)
    version = get_object_or_404(Qrels, campaign=campaign, number=number)
    file = services.download_qrels(user=request.user, qrels=version)
    name = f"{slug}-qrels-v{number}.txt"
    return FileResponse(file, as_attachment=True, filename=name)
