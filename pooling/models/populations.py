"""The population of a pool of which a sample was drawn, and what of it was not."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from cleverdon.pools.entries import Standing
from cleverdon.pools.strategy.sampling import CERTAIN, SAMPLE, stratum_name, stratum_of
from cleverdon.pools.strategy.table import STRATEGIES
from pooling.models.batches import Batch, BatchQuerySet
from pooling.models.entries import PoolEntry, PoolEntryQuerySet


class Member(NamedTuple):
    """A document of the population; those of a topic and `stratum` had the same chances."""

    topic: str
    docno: str
    stratum: str


def population(batches: BatchQuerySet) -> Iterator[Member]:
    """Yield the documents of these batches of a pool, with what their samples did not draw.

    What a batch without chance brought was certain to be judged.
    """
    of_batch = {each.pk: each for each in batches}
    entries = PoolEntry.objects.filter(batch__in=of_batch).order_by("topic__number", "item__key")
    rows = entries.values_list("topic__number", "item__key", "batch", "standing", "ranks")
    for (topic, docno), own in groupby(rows.iterator(), lambda row: (row[0], row[1])):
        found = [(of_batch[batch], standing, ranks) for _, _, batch, standing, ranks in own]
        yield Member(topic, docno, _stratum(found))


def _stratum(found: Iterable[tuple[Batch, str, list[int]]]) -> str:
    strata: dict[int, int] = {}
    for batch, standing, ranks in found:
        if _is_certain(batch, standing):
            return CERTAIN
        if batch.strategy == SAMPLE.name and batch.version:
            strata[batch.version] = stratum_of(batch.parameters["strata"], min(ranks))
    return stratum_name(strata) if strata else CERTAIN


def _is_certain(batch: Batch, standing: str) -> bool:
    """Whether a batch has the document whatever a sample drew before.

    Of what was in the pool already, only a batch of all documents down to a depth tells: others
    look for what the pool lacks, so that the chances of what they bring are not quite even.
    """
    if batch.strategy == SAMPLE.name:
        return False
    return standing != Standing.POOLED or STRATEGIES[batch.strategy].takes_all


def undrawn(batches: BatchQuerySet) -> PoolEntryQuerySet:
    """Return what samples among these batches did not draw, and no batch has taken since."""
    entries = PoolEntry.objects.filter(batch__in=batches)
    if not batches.filter(strategy=SAMPLE.name).exists():
        return entries.none()
    drawn = entries.graded().values("item")
    return entries.filter(standing=Standing.UNDRAWN).exclude(item__in=drawn)


def n_undrawn(batches: BatchQuerySet) -> int:
    return undrawn(batches).order_by().values("item").distinct().count()
