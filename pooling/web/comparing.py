"""Two batches side by side: what one has that the other lacks."""

from collections.abc import Mapping
from typing import NamedTuple

from django.db import connection
from django.http import HttpResponse
from django.shortcuts import get_list_or_404, get_object_or_404
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.web.frame import guarded, page, whole_number
from collection.models.texts import Topic
from pooling.core.entries import Standing
from pooling.models.batches import Batch, BatchQuerySet
from pooling.models.entries import PoolEntry

NAMED = 100  # documents shown of each side
TALLIES = """
    SELECT topic_id, count(*) FILTER (WHERE of_first AND of_second),
        count(*) FILTER (WHERE NOT of_second), count(*) FILTER (WHERE NOT of_first)
    FROM (
        SELECT topic_id, bool_or(batch_id = %(first)s) AS of_first,
            bool_or(batch_id = %(second)s) AS of_second
        FROM pooling_poolentry
        WHERE batch_id IN (%(first)s, %(second)s) AND standing <> 'undrawn'
        GROUP BY topic_id, item_id
    ) AS item
    GROUP BY topic_id
"""


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
    tallies = _tallies(first, second)
    topics = campaign.topic_set.defer("description", "narrative")
    rows = [TopicDifference(each, *tallies[each.pk]) for each in topics if each.pk in tallies]
    context = {
        "first": first,
        "second": second,
        "rows": rows,
        "n_both": sum(row.n_both for row in rows),
        "sides": [
            _side(first, second, {row.topic: row.n_first for row in rows}),
            _side(second, first, {row.topic: row.n_second for row in rows}),
        ],
    }
    return page(request, "pooling/compare.html", campaign, "pool", **context)


def _asked(batches: BatchQuerySet, key: str) -> Batch:
    """Return the batch of this key, without one the newest; Http404 if it is not there."""
    if not key:
        return get_list_or_404(batches)[0]
    return get_object_or_404(batches, pk=whole_number(key))


def _tallies(first: Batch, second: Batch) -> dict[int, tuple[int, int, int]]:
    """Return by topic id how many documents both batches have, and each alone.

    What a sample left out is not among them.
    """
    with connection.cursor() as cursor:
        cursor.execute(TALLIES, {"first": first.pk, "second": second.pk})
        return {topic: (n_both, n_first, n_second) for topic, n_both, n_first, n_second in cursor}


def _side(
    batch: Batch, other: Batch, alone: Mapping[Topic, int]
) -> tuple[Batch, int, list[tuple[str, str, str]]]:
    """Return the batch, how many documents the other lacks, and the first of them.

    These are (topic, docno, why); `alone` counts them by topic, in order.
    """
    topics = [topic for topic, n in alone.items() if n][:NAMED]  # one document each is enough
    entries = PoolEntry.objects.filter(topic__in=topics).exclude(standing=Standing.UNDRAWN)
    others = entries.filter(batch=other).values("item")
    found = entries.filter(batch=batch).exclude(item__in=others)
    in_order = found.order_by("topic__sort_key", "position")[:NAMED]
    named = in_order.values_list("topic__number", "item__key", "reason")
    rows = [(topic, docno, batch.reasons[reason]) for topic, docno, reason in named]
    return batch, sum(alone.values()), rows
