"""Which runs brought the documents of a pool into it, at which ranks."""

from pooling.models import Contributor, Pool, PoolEntry

Pair = tuple[str, str]  # topic, docno


def teams_of_contributors(pool: Pool) -> dict[int, int]:
    """Return the team of each run that contributed, by ids."""
    return dict(Contributor.objects.filter(pool=pool).values_list("run", "run__team"))


def ranks_by_run(pool: Pool) -> dict[Pair, dict[int, int]]:
    """Return the rank of each document in each run that contributed it, by the run's id."""
    rows = PoolEntry.objects.filter(pool=pool)
    ranks: dict[Pair, dict[int, int]] = {}
    for topic, key, *held in rows.values_list("topic__number", "item__key", "run_ids", "ranks"):
        ranks.setdefault((topic, key), {}).update(zip(*held, strict=True))
    return ranks


def versions_of(pool: Pool) -> dict[str, set[Pair]]:
    """Return the documents of each version of a pool, by its name, the first one first."""
    rows = PoolEntry.objects.filter(pool=pool).values_list("topic__number", "item__key")
    return {"pool v1": set(rows)}
