"""The pool as files."""

from collections.abc import Iterator

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, open_to_visitors, streamed
from pooling.access import check_can_see_pool
from pooling.models import Pool
from trec.cells import cell

HEADER = ("topic", "docno", "run", "rank", "run_id", "run_sha256", "run_state")


@open_to_visitors
@require_safe
def docnos(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the pooled docnos, or only those whose document has not been imported."""
    campaign = guarded(request, slug, check_can_see_pool)
    current = _pool(request, campaign)
    entries = current.entries.exclude(item__docno=None).order_by("item__docno")
    if "missing" in request.GET and can(check_can_organize, request.user, campaign):
        entries = entries.without_document()
    names = entries.values_list("item__docno", flat=True).distinct()
    return streamed((f"{docno}\n" for docno in names.iterator()), f"{slug}-docnos.txt")


@open_to_visitors
@require_safe
def contributions(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the pool with the runs and ranks of each document."""
    campaign = guarded(request, slug, check_can_see_pool)
    current = _pool(request, campaign)
    return streamed(_contribution_lines(current), f"{slug}-pool.tsv")


def _pool(request: UserRequest, campaign: Campaign) -> Pool:
    """Return the pool; to others than organizers, once it is frozen."""
    pools = Pool.objects.filter(campaign=campaign)
    if not can(check_can_organize, request.user, campaign):
        pools = pools.filter(state=Pool.State.FROZEN)
    return get_object_or_404(pools)


def _contribution_lines(pool: Pool) -> Iterator[str]:
    columns = ("run_id", "run__tag", "run_sha256", "run__state")
    # The part of a line that is the same for all documents of a run.
    runs = {
        pk: (f"\t{cell(tag)}\t", f"\t{pk}\t{sha256}\t{state}\n")
        for pk, tag, sha256, state in pool.contributors.values_list(*columns)
    }
    entries = pool.entries.order_by("topic__number", "item__key")
    rows = entries.values_list("topic__number", "item__key", "run_ids", "ranks")
    yield "\t".join(HEADER) + "\n"
    for topic, docno, run_ids, ranks in rows.iterator():
        document = f"{cell(topic)}\t{cell(docno)}"
        for run_id, rank in zip(run_ids, ranks, strict=True):
            tag, file = runs[run_id]
            yield f"{document}{tag}{rank}{file}"
