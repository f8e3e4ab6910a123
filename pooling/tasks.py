"""What a worker does later for a pool: build it from the stored runs."""

from collections.abc import Iterator, Mapping, Sequence

from django.db import transaction

from campaigns import jobs
from campaigns.models import Job, Run
from campaigns.storage import local_path
from pooling.core.statistics import shares
from pooling.core.strategies import Entry, depth_pool, fingerprint
from pooling.models import Pool, PoolEntry
from trec.runs.run import RankedRun
from trec.runs.stored import open_columns

BATCH = 5000


def open_runs(runs: Sequence[Run]) -> dict[str, RankedRun]:
    """Open stored runs by memory map, by tag."""
    return {run.tag: open_columns(local_path(run.columns)) for run in runs}


@jobs.kind("build the pool")
def build_pool(job: Job) -> str:
    """Merge the first documents of the contributing runs. Building again gives the same pool."""
    pool = Pool.objects.filter(pk=job.subject_id, state=Pool.State.BUILDING).first()
    if pool is None:
        return "The pool was discarded before it was built."
    runs = [contributor.run for contributor in pool.contributors.select_related("run")]
    topics = dict(pool.campaign.topic_set.values_list("number", "pk"))
    entries = depth_pool(open_runs(runs), topics, pool.depth)
    pool.sha256 = fingerprint(
        entries,
        strategy=pool.strategy,
        parameters={"depth": pool.depth},
        seed=pool.seed,
        order_rule=pool.order_rule,
    )
    pool.n_entries = sum(map(len, entries.values()))
    pool.state = Pool.State.BUILT
    with transaction.atomic():
        pool.entries.all().delete()
        rows = _rows(pool, entries, topics, {run.tag: run.pk for run in runs})
        PoolEntry.objects.bulk_create(rows, batch_size=BATCH)
        for share in shares(entries, sorted(run.tag for run in runs)):
            contributors = pool.contributors.filter(run__tag=share.tag)
            contributors.update(
                n_contributed=share.n_contributed, n_unique=share.n_unique
            )
        pool.save(update_fields=["sha256", "n_entries", "state"])
    return (
        f"{pool.n_entries:,} documents for {len(topics)} topics, from {len(runs)} runs."
    )


def _rows(
    pool: Pool,
    entries: Mapping[str, Sequence[Entry]],
    topics: Mapping[str, int],
    run_ids: Mapping[str, int],
) -> Iterator[PoolEntry]:
    for number, documents in entries.items():
        for entry in documents:
            yield PoolEntry(
                pool=pool,
                topic_id=topics[number],
                docno=entry.docno,
                run_ids=[run_ids[tag] for tag, _ in entry.contributions],
                ranks=[rank for _, rank in entry.contributions],
            )
