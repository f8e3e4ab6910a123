"""What pages of the apps below show of the pool: overlaps of runs, mentions of documents."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter

from django.db.models import Count

from accounts.models import User
from campaigns.models.campaign import Campaign
from cleverdon.pools.entries import Standing
from collection.from_above import Mention
from collection.models.likeness import text_hashes
from pooling.core.pictures import overlap_strip
from pooling.core.statistics import percent_of_others
from pooling.from_above import REGRADED
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor, in_common
from pooling.models.entries import PoolEntry
from runs.from_above import Overlap
from runs.models import Run


def overlaps(campaign: Campaign) -> dict[int, Overlap]:
    """Return, by the run's id, how much of what each run brought other runs brought too.

    Over all batches of the pool: a document is new in one of them alone.
    """
    current = Batch.objects.current_of(campaign)
    batches = current.pool.batches.all() if current and current.pool else [current]
    contributors = Contributor.objects.filter(batch__in=batches).exclude(shared=b"")
    in_order = contributors.order_by("batch", "run").select_related("run")
    read = ("batch", "run__tag", "n_contributed", "n_unique", "shared")
    brought: dict[int, _Brought] = {}
    for _, own in groupby(in_order.only(*read), attrgetter("batch_id")):
        _add(brought, list(own))
    return {
        run: Overlap(
            percent_of_others(each.n, each.n_unique),
            partial(overlap_strip, each.n, each.n_unique, each.shared),
        )
        for run, each in brought.items()
        if each.n
    }


@dataclass
class _Brought:
    """What a run brought: how many documents, alone, and with each other run, by its tag."""

    n: int = 0
    n_unique: int = 0
    shared: Counter[str] = field(default_factory=Counter)


def _add(brought: dict[int, _Brought], contributors: Sequence[Contributor]) -> None:
    """Add what the runs of a batch brought, which come in the order of their ids."""
    tags = [each.run.tag for each in contributors]
    for place, each in enumerate(contributors):
        own = brought.setdefault(each.run_id, _Brought())
        shared = dict(zip(tags, in_common(each.shared).tolist(), strict=True))
        del shared[tags[place]]
        own.n += each.n_contributed
        own.n_unique += each.n_unique
        own.shared.update(shared)


def n_by_topic(campaign: Campaign) -> dict[int, int]:
    """Count the documents to judge of each topic, by its id, of the pool or else a draft."""
    current = Batch.objects.current_of(campaign)
    batches = Batch.objects.filter(pk=current.pk) if current else Batch.objects.none()
    return (current.pool.batches if current and current.pool else batches).n_by_topic()


def has_existing(campaign: Campaign) -> bool:
    entries = PoolEntry.objects.with_grades_in(campaign)
    return entries.filter(standing=Standing.JUDGED).exists()


def recount(campaign: Campaign, _: User) -> None:
    """See again which documents of each batch are not imported, and which duplicates still are.

    In the transaction that changes texts, in turn with others that do.
    """
    part_unlike(campaign)
    lacking = PoolEntry.objects.of(campaign).new().without_document().order_by()
    counts = dict(lacking.values_list("batch").annotate(n=Count("pk")))
    batches = Batch.objects.filter(campaign=campaign).order_by("pk")
    for pk, before in batches.values_list("pk", "n_missing"):
        if before != counts.get(pk, 0):
            Batch.objects.filter(pk=pk).update(n_missing=counts.get(pk, 0))


def part_unlike(campaign: Campaign) -> None:
    """Mark the duplicates whose text is no longer that of the document judged for them."""
    alike = PoolEntry.objects.of(campaign).filter(standing=Standing.DUPLICATE, is_unlike=False)
    pairs = list(alike.values_list("pk", "item", "item__key", "same_as__key"))
    hashes = text_hashes(campaign, {key for *_, one, other in pairs for key in (one, other)})
    unlike = {pk: item for pk, item, one, other in pairs if hashes.get(one) != hashes.get(other)}
    PoolEntry.objects.filter(pk__in=unlike).update(is_unlike=True)
    REGRADED(campaign, list(unlike.values()))


def pooled(campaign: Campaign, docnos: Collection[str]) -> Iterator[Mention]:
    """Yield the topics for which the pool has these documents, with runs and ranks."""
    rows = PoolEntry.objects.of_pool_or_draft(campaign).filter(item__key__in=docnos)
    rows = rows.select_related("topic", "item")
    entries = list(rows.order_by("topic__sort_key", "item__key"))
    runs = Run.objects.filter(pk__in={pk for each in entries for pk in each.run_ids})
    tags = dict(runs.values_list("pk", "tag"))
    for each in entries:
        places = sorted(zip(each.ranks, each.run_ids, strict=True))
        ranks = ", ".join(f"{tags.get(pk, 'a deleted run')} at {rank}" for rank, pk in places)
        yield Mention(each.docno, str(each.topic), "pooled", ranks)


def pooled_topics(campaign: Campaign, numbers: Collection[str]) -> Iterator[Mention]:
    """Yield which of these topics the frozen pool has."""
    entries = PoolEntry.objects.with_grades_in(campaign)
    topics = entries.filter(topic__number__in=numbers).order_by().values_list("topic__number")
    for (number,) in topics.distinct():
        yield Mention(number, "", "pooled")


def batches_of_round(campaign: Campaign) -> str:
    """Return the batches of the current round, in words; "" for none."""
    n = Batch.objects.filter(campaign=campaign, round=campaign.round).count()
    return f"{n:,} {'batch' if n == 1 else 'batches'} of the pool" if n else ""
