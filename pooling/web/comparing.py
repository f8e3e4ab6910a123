"""Two batches side by side: what one has that the other lacks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import get_list_or_404, get_object_or_404
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, listed, page, whole_number
from collection.models.texts import Topic
from pooling.core.entries import Standing
from pooling.models.batches import Batch, BatchQuerySet
from pooling.models.entries import PoolEntry, PoolEntryQuerySet
from trec.streams import storable


class TopicDifference(NamedTuple):
    """How many documents of a topic both batches have, and each alone."""

    topic: Topic
    n_both: int
    n_first: int
    n_second: int


class Alone(NamedTuple):
    """A document that one of the batches lacks, and why the other has it."""

    docno: str
    side: str
    why: str


@signed_in
@require_safe
def compare(request: UserRequest, slug: str) -> HttpResponse:
    """Compare the batches `first` and `second` of the address, with the documents of a `topic`."""
    campaign = guarded(request, slug, check_can_organize)
    batches = Batch.objects.for_list().filter(campaign=campaign).order_by("-pk")
    first, second = (_asked(batches, request.GET.get(name, "")) for name in ("first", "second"))
    of_first, of_second = _items(first), _items(second)
    topics = campaign.topic_set.defer("description", "narrative").in_bulk()
    rows = [
        TopicDifference(topics[pk], len(ours & theirs), len(ours - theirs), len(theirs - ours))
        for pk in topics
        if (ours := of_first.get(pk, set())) | (theirs := of_second.get(pk, set()))
    ]
    topic = _topic(campaign, rows, request.GET.get("topic", ""))
    alone = [*_alone(first, topic, of_second, "first"), *_alone(second, topic, of_first, "second")]
    context = {
        "first": first,
        "second": second,
        "rows": rows,
        "n_both": sum(row.n_both for row in rows),
        "sides": [
            (first, sum(row.n_first for row in rows)),
            (second, sum(row.n_second for row in rows)),
        ],
        "topic": topic,
        "alone": listed(request, alone),
    }
    return page(request, "pooling/compare.html", campaign, "pool", **context)


def _topic(campaign: Campaign, rows: Sequence[TopicDifference], number: str) -> Topic | None:
    """Return the topic of this number or, without one, the first whose documents differ."""
    if number:
        return get_object_or_404(campaign.topic_set, number=storable(number))
    return next((row.topic for row in rows if row.n_first or row.n_second), None)


def _asked(batches: BatchQuerySet, key: str) -> Batch:
    """Return the batch of this key, without one the newest; Http404 if it is not there."""
    if not key:
        return get_list_or_404(batches)[0]
    return get_object_or_404(batches, pk=whole_number(key))


def _entries(batch: Batch) -> PoolEntryQuerySet:
    """Return all that a batch has but what its sample left out."""
    return PoolEntry.objects.filter(batch=batch).exclude(standing=Standing.UNDRAWN)


def _items(batch: Batch) -> dict[int, set[int]]:
    """Return the items of a batch by topic, those that the pool had before included."""
    found: dict[int, set[int]] = {}
    for topic, item in _entries(batch).values_list("topic", "item"):
        found.setdefault(topic, set()).add(item)
    return found


def _alone(
    batch: Batch, topic: Topic | None, others: Mapping[int, set[int]], side: str
) -> Iterator[Alone]:
    """Yield the documents of a topic that the other batch lacks, in the order chosen."""
    entries = _entries(batch).filter(topic=topic).order_by("position")
    for item, key, reason in entries.values_list("item", "item__key", "reason"):
        if topic and item not in others.get(topic.pk, set()):
            yield Alone(key, side, batch.reasons[reason])
