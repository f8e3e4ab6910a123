"""Forecast pools and build them from the stored runs, in a worker."""

from collections.abc import Mapping

from django.utils import timezone

from collection.bulk import tables, writing
from collection.models.items import Item
from jobs import work
from jobs.models import Job
from pooling.core.statistics import contributed, depth_sizes
from pooling.core.strategies import STRATEGIES, DocumentsByTopic, fingerprint
from pooling.models import MAX_DEPTH, Forecast, Pool, PoolEntry
from runs.models import Run, open_runs
from trec.words import counted


@work.kind("forecast the pool", is_listed=False)
def forecast_pool(job: Job) -> str:
    """Compute the sizes of the pools of the chosen runs."""
    forecast = Forecast.objects.filter(pk=job.subject_id).first()
    if forecast is None:
        return "Nobody waits for this forecast any more."
    runs = list(Run.objects.filter(pk__in=forecast.run_ids))
    sizes = depth_sizes(open_runs(runs).values(), forecast.topics, MAX_DEPTH)
    with work.writing(job):
        Forecast.objects.filter(pk=forecast.pk).update(
            by_topic=sizes.by_topic.tolist(), computed_at=timezone.now()
        )
    return f"At most {counted(sizes.at(MAX_DEPTH), 'document')}, from {counted(len(runs), 'run')}."


def _give_up_building(job: Job) -> None:
    Pool.objects.filter(pk=job.subject_id).move(Pool.State.FAILED)


@work.kind("build the pool", give_up=_give_up_building)
def build_pool(job: Job) -> str:
    """Form the pool by its strategy. Running it twice gives the same pool."""
    row = Pool.objects.filter(pk=job.subject_id)
    row.move(Pool.State.BUILDING)  # one that failed is tried again
    building = row.filter(state=Pool.State.BUILDING)
    pool = building.first()
    if pool is None:
        return "Another pool was requested before this one was built."
    runs = [contributor.run for contributor in pool.contributors.select_related("run")]
    topics = dict(pool.campaign.topic_set.values_list("number", "pk"))
    documents = STRATEGIES[pool.strategy].pool(open_runs(runs), topics, **pool.parameters)
    sha256 = fingerprint(
        documents,
        strategy=pool.strategy,
        parameters=pool.parameters,
        seed=pool.seed,
        order_rule=pool.order_rule,
    )
    n_entries = sum(map(len, documents.values()))
    with work.writing(job):
        # First, because it locks the row: nobody replaces the pool while its entries are written.
        if not building.move(Pool.State.BUILT, sha256=sha256, n_entries=n_entries):
            return "Another pool was requested while this one was being built."
        _save(pool, documents, topics, {run.tag: run.pk for run in runs})
    writing.tidy(PoolEntry)
    counts = ((n_entries, "document"), (len(topics), "topic"), (len(runs), "run"))
    return "{} for {}, from {}.".format(*(counted(*each) for each in counts))


def _save(
    pool: Pool, documents: DocumentsByTopic, topics: Mapping[str, int], run_ids: Mapping[str, int]
) -> None:
    """Write the entries, and what each run contributed; `topics` and `run_ids` are primary keys."""
    items = Item.objects.of_documents(
        pool.campaign,
        ((topics[number], each.docno) for number, pooled in documents.items() for each in pooled),
    )
    rows = (
        PoolEntry(
            pool=pool,
            topic_id=topics[number],
            item_id=items[topics[number], document.docno],
            run_ids=[run_ids[tag] for tag, _ in document.contributions],
            ranks=[rank for _, rank in document.contributions],
        )
        for number, pooled in documents.items()
        for document in pooled
    )
    PoolEntry.objects.bulk_create(rows, batch_size=tables.BATCH)
    for tag, what in contributed(documents, run_ids).items():
        shared = {run_ids[other]: n for other, n in what.shared.items()}
        contributors = pool.contributors.filter(run=run_ids[tag])
        contributors.update(n_contributed=what.n, n_unique=what.n_unique, shared=shared)
