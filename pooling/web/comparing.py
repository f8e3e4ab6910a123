"""Two batches side by side: what one has that the other lacks."""

from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import get_list_or_404, get_object_or_404
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.web.frame import guarded, page, whole_number
from collection.models.texts import Topic
from pooling.core.entries import Standing
from pooling.models.batches import Batch, BatchQuerySet
from pooling.models.entries import PoolEntry, PoolEntryQuerySet

NAMED = 100  # documents shown of each side


class TopicDifference(NamedTuple):
    """How many documents of a topic both batches have, and each alone."""

    topic: Topic
    n_both: int
    n_first: int
    n_second: int


@signed_in
@require_safe
def compare(request: UserRequest, slug: str) -> HttpResponse:
    """Compare the batches `first` and `second` of the address."""
    campaign = guarded(request, slug, check_can_organize)
    batches = Batch.objects.filter(campaign=campaign).order_by("-pk")
    first, second = (_asked(batches, request.GET.get(name, "")) for name in ("first", "second"))
    of_first, of_second = _items(first), _items(second)
    topics = campaign.topic_set.defer("description", "narrative").in_bulk()
    rows = [
        TopicDifference(topics[pk], len(ours & theirs), len(ours - theirs), len(theirs - ours))
        for pk in topics
        if (ours := of_first.get(pk, set())) | (theirs := of_second.get(pk, set()))
    ]
    context = {
        "first": first,
        "second": second,
        "rows": rows,
        "n_both": sum(row.n_both for row in rows),
        "sides": [
            (first, sum(row.n_first for row in rows), _alone(first, of_second)),
            (second, sum(row.n_second for row in rows), _alone(second, of_first)),
        ],
    }
    return page(request, "pooling/compare.html", campaign, "pool", **context)


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


def _alone(batch: Batch, others: dict[int, set[int]]) -> list[tuple[str, str, str]]:
    """Return (topic, docno, why) of the first documents that the other batch lacks."""
    entries = _entries(batch).order_by("topic__sort_key", "position")
    rows = entries.values_list("topic", "item", "topic__number", "item__key", "reason")
    found = []
    for topic, item, number, key, reason in rows.iterator():
        if item not in others.get(topic, set()):
            found.append((number, key, batch.reasons[reason]))
        if len(found) == NAMED:
            break
    return found
