"""Judging as files: what each assessor has done, and single judgments as they are now, event by event, and as they were when a version of the qrels was published."""

from collections.abc import Callable, Iterator
from functools import partial

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from assess import services
from assess.access import check_has_judgments
from assess.models import Qrels
from assess.pages.everybody import everybodys_work
from assess.pages.files import assessors_csv
from campaigns.access import check_can_organize
from campaigns.pages import guarded, streamed


def send(
    request: UserRequest,
    name: str,
    download: Callable[..., Iterator[str]],
    kind: str = "text/csv",
) -> StreamingHttpResponse:
    """Send a file of judgments; who asks only for its headers downloads nothing, so nothing is recorded."""
    lines = iter("") if request.method == "HEAD" else download(user=request.user)
    return streamed(lines, name, kind)


@signed_in
@require_safe
def assessors(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download what each assessor has to judge and has judged."""
    campaign = guarded(request, slug, check_can_organize)
    people = everybodys_work(campaign, timezone.now()).people
    return streamed(assessors_csv(people), f"{slug}-assessors.csv", "text/csv")


@signed_in
@require_safe
def judgments(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    download = partial(services.download_judgments, campaign=campaign)
    return send(request, f"{slug}-judgments.csv", download)


@signed_in
@require_safe
def judgment_events(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    download = partial(services.download_judgment_events, campaign=campaign)
    return send(request, f"{slug}-judgment-events.csv", download)


@signed_in
@require_safe
def ratings(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    download = partial(services.download_ratings, campaign=campaign)
    return send(request, f"{slug}-ratings.csv", download)


@signed_in
@require_safe
def passages(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    download = partial(services.download_passages, campaign=campaign)
    return send(request, f"{slug}-evidence.csv", download)


@signed_in
@require_safe
def notes(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download what assessors have noted on their topics."""
    campaign = guarded(request, slug, check_can_organize)
    download = partial(services.download_notes, campaign=campaign)
    return send(request, f"{slug}-notes.csv", download)


@signed_in
@require_safe
def questions(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download what assessors have asked, with every answer."""
    campaign = guarded(request, slug, check_can_organize)
    download = partial(services.download_questions, campaign=campaign)
    return send(request, f"{slug}-questions.csv", download)


@signed_in
@require_safe
def kept_judgments(
    request: UserRequest, slug: str, number: int
) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    version = get_object_or_404(Qrels, campaign=campaign, number=number)
    check_has_judgments(version)
    download = partial(services.download_kept_judgments, qrels=version)
    mark = "-withdrawn" if version.is_withdrawn else ""
    return send(request, f"{slug}-qrels-v{number}{mark}-judgments.csv", download)
