"""Which runs brought the documents of a pool into it, at which ranks."""

from django.db.models import Q

from cleverdon.measures.inputs.universe import Universe
from cleverdon.pools.entries import Standing
from cleverdon.trec.docnos import decoded
from pooling.models.batches import BatchQuerySet
from pooling.models.contributors import Contributor
from pooling.models.entries import PoolEntry

Pair = tuple[str, str]  # topic, docno


def pairs_of(universe: Universe) -> list[Pair]:
    """Return the topic and docno of each entry."""
    topics = (universe.topics[n] for n in universe.topic_of.tolist())
    return list(zip(topics, decoded(universe.docnos.tolist()), strict=True))


def teams_of_contributors(batches: BatchQuerySet) -> dict[int, int]:
    """Return the team of each run that contributed, by ids."""
    contributors = Contributor.objects.filter(batch__in=batches)
    return dict(contributors.values_list("run", "run__team"))


def ranks_by_run(batches: BatchQuerySet) -> dict[Pair, dict[int, int]]:
    """Return the rank of each document in each run that contributed it, by the run's id."""
    rows = PoolEntry.objects.filter(batch__in=batches)
    ranks: dict[Pair, dict[int, int]] = {}
    for topic, key, *held in rows.values_list("topic__number", "item__key", "run_ids", "ranks"):
        ranks.setdefault((topic, key), {}).update(zip(*held, strict=True))
    return ranks


def brought_by_no_run(batches: BatchQuerySet) -> set[Pair]:
    """Return what was judged before or named by people, whatever runs have it too."""
    entries = PoolEntry.objects.with_grades().filter(batch__in=batches)
    rows = entries.filter(Q(standing=Standing.JUDGED) | Q(run_ids=[]))
    return set(rows.values_list("topic__number", "item__key"))


def versions_of(batches: BatchQuerySet) -> dict[str, set[Pair]]:
    """Return the documents of each version of a pool, by its name, the first one first."""
    entries = PoolEntry.objects.with_grades().filter(batch__in=batches)
    versions: dict[str, set[Pair]] = {}
    pairs: set[Pair] = set()
    for batch in batches.order_by("version"):
        pairs |= set(entries.filter(batch=batch).values_list("topic__number", "item__key"))
        versions[f"pool v{batch.version}"] = set(pairs)
    return versions
