"""The pool and its batches as files."""

from collections.abc import Iterator, Sequence

from django.http import StreamingHttpResponse
from django.shortcuts import get_list_or_404, get_object_or_404
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest, signed_in
from campaigns.access.campaign import Campaigns
from campaigns.access.roles import Person
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, open_to_visitors, streamed
from cleverdon.pools.strategy.by_hand import BY_HAND
from cleverdon.trec.cells import cell
from pooling.access import Batches, Pools, batches_seen
from pooling.building import lines_of_batch
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor
from pooling.models.entries import PoolEntry, PoolEntryQuerySet

HEADER = (
    "topic",
    "docno",
    "run",
    "rank",
    "run_id",
    "run_sha256",
    "run_state",
    "batch",
    "reason",
    "standing",
)


@open_to_visitors
@require_safe
def docnos(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the pooled docnos, or only those whose document has not been imported."""
    campaign = guarded(request, slug, Pools.see)
    lines = docno_lines(request.user, campaign, only_missing="missing" in request.GET)
    return streamed(lines, f"{slug}-docnos.txt")


@open_to_visitors
@require_safe
def contributions(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the pool with the runs and ranks of each document."""
    campaign = guarded(request, slug, Pools.see)
    batches = list(get_list_or_404(batches_seen(request.user, campaign)))
    tells_all = can(Campaigns.organize, request.user, campaign)
    lines = contribution_lines(batches, tells_all=tells_all)
    return streamed(lines, f"{slug}-pool.tsv")


@signed_in
@require_safe
def batch_contributions(request: UserRequest, slug: str, pk: int) -> StreamingHttpResponse:
    """Download a batch, which may be a draft, with the runs and ranks of each document."""
    campaign = guarded(request, slug, Batches.see)
    batch = get_object_or_404(Batch.objects.built(), campaign=campaign, pk=pk)
    return streamed(contribution_lines([batch]), f"{slug}-batch-{pk}.tsv")


@signed_in
@require_safe
def batch_lines(request: UserRequest, slug: str, pk: int) -> StreamingHttpResponse:
    """Download the lines of a batch, whose hash is the batch's."""
    campaign = guarded(request, slug, Batches.see)
    batch = get_object_or_404(Batch.objects.built(), campaign=campaign, pk=pk)
    return streamed(lines_of_batch(batch), f"{slug}-batch-{pk}.jsonl", "application/jsonl")


def docno_lines(user: Person, campaign: Campaign, *, only_missing: bool = False) -> Iterator[str]:
    """Yield each pooled docno once; organizers can have only those without a document."""
    entries = _pooled(user, campaign).exclude(item__docno=None).order_by("item__docno")
    if only_missing and can(Campaigns.organize, user, campaign):
        entries = entries.without_document()
    names = entries.values_list("item__docno", flat=True).distinct()
    return (f"{docno}\n" for docno in names.iterator())


def _pooled(user: Person, campaign: Campaign) -> PoolEntryQuerySet:
    """Return the pool or, for organizers and before there is one, the newest draft."""
    if can(Campaigns.organize, user, campaign):
        return PoolEntry.objects.of_pool_or_draft(campaign)
    return PoolEntry.objects.pooled().filter(batch__in=batches_seen(user, campaign))


def contribution_lines(batches: Sequence[Batch], *, tells_all: bool = True) -> Iterator[str]:
    """Yield a line for each document and run; reasons given by people only to organizers."""
    contributors = Contributor.objects.filter(batch__in=batches)
    columns = ("run_id", "run__tag", "run_sha256", "run__state")
    # The part of a line that is the same for all documents of a run.
    runs = {
        pk: (f"\t{cell(tag)}\t", f"\t{pk}\t{sha256}\t{state}")
        for pk, tag, sha256, state in contributors.values_list(*columns)
    }
    whys = {
        batch.pk: [
            f"\t{batch.version or ''}\t{cell(each if shown else BY_HAND.title)}\t"
            for each in batch.reasons
        ]
        for batch in batches
        for shown in [tells_all or batch.strategy != BY_HAND.name]
    }
    entries = PoolEntry.objects.filter(batch__in=batches)
    ordered = entries.order_by("topic__number", "item__key", "batch__version", "batch")
    own = "topic__number", "item__key", "run_ids", "ranks", "batch", "reason", "standing"
    yield "\t".join(HEADER) + "\n"
    rows = ordered.values_list(*own).iterator()
    for topic, docno, run_ids, ranks, batch, reason, standing in rows:
        document, why = f"{cell(topic)}\t{cell(docno)}", f"{whys[batch][reason]}{standing}\n"
        if not run_ids:  # added by hand, or judged before
            yield f"{document}\t\t\t\t\t{why}"
        for run_id, rank in zip(run_ids, ranks, strict=True):
            tag, file = runs[run_id]
            yield f"{document}{tag}{rank}{file}{why}"
