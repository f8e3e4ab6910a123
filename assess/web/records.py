"""Downloads of judgments, their events, ratings, passages, and known grades."""

from collections.abc import Callable, Iterator
from functools import partial

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from assess.access.judging import Judging
from assess.services.judgment_files import (
    EVENTS,
    JUDGMENTS,
    OFFICIAL,
    PASSAGES,
    RATINGS,
    JudgingFile,
    download,
)
from assess.services.known_grades import download_known
from campaigns.web.frame import guarded, streamed

Download = Callable[..., Iterator[str]]
View = Callable[..., HttpResponseBase]


def send_file(
    request: UserRequest, name: str, download: Download, kind: str = "text/csv"
) -> StreamingHttpResponse:
    """Send a file of judgments; a HEAD request downloads nothing, so nothing is recorded."""
    lines = iter("") if request.method == "HEAD" else download(user=request.user)
    return streamed(lines, name, kind)


def file_of(name: str, download: Download, kind: str = "text/csv") -> View:
    """Make the view that sends a file of a campaign's judging to its organizers."""

    @signed_in
    @require_safe
    def view(request: UserRequest, slug: str) -> StreamingHttpResponse:
        campaign = guarded(request, slug, Judging.download)
        lines = partial(download, campaign=campaign)
        return send_file(request, f"{slug}-{name}", lines, kind)

    return view


def table_of(file: JudgingFile) -> View:
    return file_of(file.name, partial(download, file=file))


judgments, judgment_events = table_of(JUDGMENTS), table_of(EVENTS)
official_grades = table_of(OFFICIAL)
ratings, passages = table_of(RATINGS), table_of(PASSAGES)
known_grades = file_of("known-grades.txt", download_known, "text/plain")
