"""The judgments that a version of the qrels rests on, as a file."""

from functools import partial

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from assess.web.records import send_file
from campaigns.access.roles import check_can_organize
from campaigns.web.frame import guarded
from qrels.access import check_has_judgments
from qrels.models import Qrels
from qrels.services import kept_judgments as kept


@signed_in
@require_safe
def kept_judgments(request: UserRequest, slug: str, number: int) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    version = get_object_or_404(Qrels, campaign=campaign, number=number)
    check_has_judgments(version)
    download = partial(kept.download_kept_judgments, qrels=version)
    name = "-".join([f"{slug}-qrels-v{number}", *version.marks, "judgments.csv"])
    return send_file(request, name, download)
