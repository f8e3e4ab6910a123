"""What the pool says of each run, on the pages of the apps below."""

from collections.abc import Collection, Iterator

from campaigns.models.campaign import Campaign
from collection.from_above import Mention
from pooling.core.pictures import overlap_strip
from pooling.core.statistics import percent_of_others
from pooling.models import Contributor, Pool, PoolEntry
from runs.from_above import Overlap
from runs.models import Run


def overlaps(campaign: Campaign) -> dict[int, Overlap]:
    """Return how much of what each run brought to the pool other runs brought too, by the run's id."""
    pool = Pool.objects.current_of(campaign)
    rows = Contributor.objects.filter(pool=pool, n_contributed__gt=0)
    found = list(rows.values_list("run", "run__tag", "n_contributed", "n_unique", "shared"))
    tags = {str(run): tag for run, tag, *_ in found}
    return {
        run: Overlap(
            percent_of_others(n, n_unique),
            overlap_strip(
                n,
                n_unique,
                {tags[key]: n_shared for key, n_shared in shared.items() if key in tags},
            ),
        )
        for run, _, n, n_unique, shared in found
    }


def pooled(campaign: Campaign, docnos: Collection[str]) -> Iterator[Mention]:
    """Yield for which topics the pool has these documents, and which runs have them at which ranks."""
    pool = Pool.objects.current_of(campaign)
    rows = PoolEntry.objects.filter(pool=pool, docno__in=docnos).select_related("topic")
    entries = list(rows.order_by("topic__sort_key", "docno"))
    runs = Run.objects.filter(pk__in={pk for each in entries for pk in each.run_ids})
    tags = dict(runs.values_list("pk", "tag"))
    for each in entries:
        places = sorted(zip(each.ranks, each.run_ids, strict=True))
        said = ", ".join(f"{tags.get(pk, 'a deleted run')} at {rank}" for rank, pk in places)
        yield Mention(each.docno, str(each.topic), "pooled", said)


def pooled_topics(campaign: Campaign, numbers: Collection[str]) -> Iterator[Mention]:
    """Yield which of these topics the frozen pool has."""
    entries = PoolEntry.objects.in_frozen_pool(campaign)
    its = entries.filter(topic__number__in=numbers).order_by()
    for number in its.values_list("topic__number", flat=True).distinct():
        yield Mention(number, "", "pooled")
