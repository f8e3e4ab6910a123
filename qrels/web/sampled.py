"""Qrels of a pool that is a sample, as inferred measures read them: with what was not judged."""

from collections.abc import Callable, Iterator

from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest
from campaigns.web.frame import guarded, open_to_visitors, streamed
from pooling.models.batches import Batch
from qrels.access import check_can_see_qrels, versions_shown
from qrels.models import Qrels

NOT_JUDGED = -1
Line = Callable[[str, str, int, int], str]  # topic, docno, stratum, grade


@open_to_visitors
@require_safe
def sample_file(request: UserRequest, slug: str, number: int) -> StreamingHttpResponse:
    """Send four columns, as infAP reads them: -1 for what was not judged."""
    return _sent(request, slug, number, "sample", "{0} 0 {1} {3}\n".format)


@open_to_visitors
@require_safe
def strata_file(request: UserRequest, slug: str, number: int) -> StreamingHttpResponse:
    """Send five columns, as xinfAP and infNDCG read them: with the stratum."""
    return _sent(request, slug, number, "strata", "{} 0 {} {} {}\n".format)


def _sent(
    request: UserRequest, slug: str, number: int, what: str, line: Line
) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_see_qrels)
    qrels = get_object_or_404(versions_shown(request.user, campaign), number=number)
    if (batch := qrels.sample) is None:
        raise Http404
    name = "-".join([f"{slug}-qrels-v{number}", *qrels.marks, what]) + ".txt"
    return streamed(_lines(qrels, batch, line), name)


def _lines(qrels: Qrels, batch: Batch, line: Line) -> Iterator[str]:
    """Yield a line for every document of the population that was sampled."""
    grades = qrels.pairs().by_topic()
    entries = batch.entries.order_by("topic__number", "item__key")
    for topic, docno, reason in entries.values_list("topic__number", "item__key", "reason"):
        yield line(topic, docno, reason + 1, grades.get(topic, {}).get(docno, NOT_JUDGED))
