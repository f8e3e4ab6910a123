"""A batch that joins the pool is served behind what people have; one taken back goes again.

Taking back is refused once anything of the batch has been judged.
"""

from collections import defaultdict

from django.db.models import Count, Sum

from accounts.access import Refused
from accounts.models import User
from assess.assignments import Placed, count_entries, serve_more
from assess.core.together import together
from assess.models.assigning import Assignment, AssignmentQuerySet
from assess.models.history import JudgmentEvent
from assess.models.official import OfficialGrade
from assess.models.serving import AssignmentEntry, AssignmentEntryQuerySet
from assess.models.sharing import SharedDocument, SharedQueue
from assess.services.official import regrade
from campaigns.models.campaign import Campaign
from cleverdon.pools import seeds
from cleverdon.pools.entries import CARRIED
from cleverdon.trec.words import counted
from pooling.models.batches import Batch
from pooling.models.entries import PoolEntry, PoolEntryQuerySet
from pooling.models.likenesses import Likeness
from pooling.models.pools import Pool

Kind = Assignment.Kind


def serve_batch(pool: Pool, batch: Batch) -> None:
    """Serve the documents of a batch to those who judge their topics, shuffled by themselves."""
    items, version = defaultdict[int, dict[str, int]](dict), pool.version
    for topic, key, item in _added(batch).values_list("topic", "item__key", "item"):
        items[topic][key] = item
    alike = Likeness.objects.together(pool.campaign, items)

    def ordered(of: SharedQueue | Assignment, n: int | None = None) -> list[int]:
        added = items[of.topic_id]
        order = seeds.shuffled(added, seeds.seed_for(of.seed, version))[:n]
        return [added[docno] for docno in together(order, alike.get(of.topic_id, ()))]

    queues = SharedQueue.objects.filter(topic__in=items).order_by("pk")
    for queue in queues.select_for_update(no_key=True):
        queue.put(ordered(queue))
    before = pool.batches.exclude(pk=batch.pk).n_by_topic()
    rows = Assignment.objects.dealt().filter(pool=pool, topic__in=items, given_up_at=None)
    rows = rows.order_by("pk")
    for each in rows.select_for_update(no_key=True):
        n = None
        if each.kind == Kind.SECOND:  # the share that it has of the documents before
            n = round(len(items[each.topic_id]) * each.n_entries / before[each.topic_id])
        if order := ordered(each, n):
            serve_more(each, [Placed(item, each.kind) for item in order])
    carried = batch.entries.filter(standing__in=CARRIED)
    regrade(pool.campaign, list(carried.values_list("item", flat=True)))


def _added(batch: Batch) -> PoolEntryQuerySet:
    return batch.entries.new()


def n_left_by_topic(campaign: Campaign) -> dict[str, int]:
    """Return how many documents have no official grade yet, by topic number; assigned topics."""
    primary = Assignment.objects.primary().filter(topic__campaign=campaign).with_left()
    shared = SharedDocument.objects.unsettled().of(campaign).order_by()
    queues = dict(shared.values_list("queue__topic__number").annotate(n=Count("pk")))
    every = SharedQueue.objects.filter(topic__campaign=campaign)
    numbers = every.values_list("topic__number", flat=True)
    return dict(primary.values_list("topic__number", "n_left")) | {
        number: queues.get(number, 0) for number in numbers
    }


def check_nothing_is_judged(batch: Batch) -> None:
    """Refuse once anything of the batch has been recorded, even if it was undone."""
    events = JudgmentEvent.objects.filter(assignment__pool=batch.pool)
    of_batch = events.filter(judgment__item__in=_added(batch).values("item"))
    # Two questions: with an OR, PostgreSQL reads the whole batch for each event.
    if of_batch.exists() or events.filter(assignment__in=_since(batch)).exists():
        # Published qrels rest on such judgments.
        has_qrels = batch.pool is not None and batch.pool.qrels_set.exists()
        way = "" if has_qrels else " If it was a rehearsal, throw it away in the settings."
        raise Refused(f"Judging has begun, so the batch can no longer be taken back.{way}")


def described(batch: Batch) -> list[str]:
    """Say which assignments go, and how many documents of others."""
    words, since = [], _since(batch)
    if n := since.count():
        n_people = since.values("assessor").distinct().count()
        queues = SharedQueue.objects.filter(pool=batch.pool, created_at__gte=batch.frozen_at)
        n_documents = since.dealt().aggregate(n=Sum("n_entries"))["n"] or 0
        n_documents += SharedDocument.objects.filter(queue__in=queues).count()
        people = f"{counted(n, 'assignment')} to {counted(n_people, 'assessor')}"
        words.append(f"{people}, with {counted(n_documents, 'document')} to judge")
    if n := _served(batch).count():
        words.append(f"{counted(n, 'document')} that were added to earlier assignments")
    return words


def remove(_: User, batch: Batch) -> None:
    """Delete what was served of it, under locks: a judgment comes before, or finds nothing."""
    queues = SharedQueue.objects.filter(pool=batch.pool)
    list(queues.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    assignments = Assignment.objects.filter(pool=batch.pool).order_by("pk")
    list(assignments.select_for_update().values_list("pk"))
    check_nothing_is_judged(batch)
    _since(batch).delete()
    queues.filter(created_at__gte=batch.frozen_at).delete()
    _served(batch).delete()
    SharedDocument.objects.filter(queue__in=queues, item__in=_added(batch).values("item")).delete()
    others = PoolEntry.objects.with_grades().filter(batch__pool=batch.pool).exclude(batch=batch)
    gone = batch.entries.exclude(item__in=others.values("item"))
    OfficialGrade.objects.current().filter(item__in=gone.values("item")).delete()
    for each in assignments:
        count_entries(each)


def _since(batch: Batch) -> AssignmentQuerySet:
    """Return the assignments made since the batch was frozen: they hold its documents mixed in."""
    return Assignment.objects.filter(pool=batch.pool, created_at__gte=batch.frozen_at)


def _served(batch: Batch) -> AssignmentEntryQuerySet:
    """Return the batch's documents that were put behind others."""
    before = Assignment.objects.filter(pool=batch.pool, created_at__lt=batch.frozen_at)
    of_batch = {"item__in": _added(batch).values("item")}
    rows: AssignmentEntryQuerySet = AssignmentEntry.objects.counting().filter(
        assignment__in=before, **of_batch
    )
    return rows
