"""Two batches side by side: what one has that the other lacks."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.db import connection
from django.http import HttpResponse
from django.shortcuts import get_list_or_404, get_object_or_404
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, listed, page, whole_number
from cleverdon.pools.entries import Standing
from cleverdon.trec.streams import storable
from collection.models.texts import Topic
from pooling.access import Batches
from pooling.models.batches import Batch, BatchQuerySet
from pooling.models.entries import PoolEntry

# What a sample left out is not among a batch's documents.
IN_BOTH = """
    SELECT one.topic_id, count(*),
        count(*) FILTER (WHERE 'pooled' IN (one.standing, other.standing))
    FROM pooling_poolentry AS one JOIN pooling_poolentry AS other
    ON other.item_id = one.item_id AND other.batch_id = %s AND other.standing <> 'undrawn'
    WHERE one.batch_id = %s AND one.standing <> 'undrawn'
    GROUP BY one.topic_id
"""


class TopicDifference(NamedTuple):
    """How many documents of a topic both batches have, of these the pool before, and each alone."""

    topic: Topic
    n_both: int
    n_pooled: int
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
    campaign = guarded(request, slug, Batches.see)
    batches = Batch.objects.for_list().filter(campaign=campaign).defer(None).order_by("-pk")
    first, second = (_asked(batches, request.GET.get(name, "")) for name in ("first", "second"))
    tallies = _tallies(first, second)
    topics = campaign.topic_set.defer("description", "narrative")
    rows = [TopicDifference(each, *tallies[each.pk]) for each in topics if each.pk in tallies]
    topic = _topic(campaign, rows, request.GET.get("topic", ""))
    alone = [*_alone(first, second, topic, "first"), *_alone(second, first, topic, "second")]
    n_first, n_second = sum(row.n_first for row in rows), sum(row.n_second for row in rows)
    context = {
        "first": first,
        "second": second,
        "rows": rows,
        "n_both": sum(row.n_both for row in rows),
        "n_pooled": sum(row.n_pooled for row in rows),
        "n_first": n_first,
        "n_second": n_second,
        "sides": [(first, n_first), (second, n_second)],
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


def _tallies(first: Batch, second: Batch) -> dict[int, tuple[int, int, int, int]]:
    """Return by topic id what `TopicDifference` has."""
    with connection.cursor() as cursor:
        cursor.execute(IN_BOTH, [first.pk, second.pk])
        found = {topic: own for topic, *own in cursor.fetchall()}
    every, others = first.n_by_topic(), second.n_by_topic()
    return {
        topic: (both, pooled, every.get(topic, 0) - both, others.get(topic, 0) - both)
        for topic in every | others
        for both, pooled in [found.get(topic, (0, 0))]
    }


def _alone(batch: Batch, other: Batch, topic: Topic | None, side: str) -> Iterator[Alone]:
    """Yield the documents of a topic that the other batch lacks, in the order chosen."""
    entries = PoolEntry.objects.filter(topic=topic).exclude(standing=Standing.UNDRAWN)
    others = entries.filter(batch=other).values("item")
    found = entries.filter(batch=batch).exclude(item__in=others).order_by("position")
    for key, reason in found.values_list("item__key", "reason"):
        yield Alone(key, side, batch.reasons[reason])
