"""Forecast pools and build batches of them from the stored runs, in a worker."""

from collections.abc import Container, Iterator, Mapping

from django.utils import timezone

from collection.bulk import tables, writing
from collection.models.items import Item
from jobs import work
from jobs.models import Job
from pooling.core.statistics import contributed, depth_sizes
from pooling.core.strategies import STRATEGIES, DocumentsByTopic, fingerprint
from pooling.models.batches import Batch
from pooling.models.entries import PoolEntry
from pooling.models.forecasts import MAX_DEPTH, Forecast
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
    Batch.objects.filter(pk=job.subject_id).move(Batch.State.FAILED)


@work.kind("build the pool", give_up=_give_up_building)
def build_batch(job: Job) -> str:
    """Form the documents of a batch by its strategy. Running it twice gives the same batch."""
    row = Batch.objects.filter(pk=job.subject_id)
    row.move(Batch.State.BUILDING)  # one that failed is tried again
    building = row.filter(state=Batch.State.BUILDING)
    batch = building.first()
    if batch is None:
        return "The draft was deleted before it was built."
    runs = [contributor.run for contributor in batch.contributors.select_related("run")]
    topics = dict(batch.campaign.topic_set.values_list("number", "pk"))
    documents = STRATEGIES[batch.strategy].pool(open_runs(runs), topics, **batch.parameters)
    sha256 = fingerprint(
        documents,
        strategy=batch.strategy,
        parameters=batch.parameters,
        seed=batch.seed,
        order_rule=batch.order_rule,
    )
    known = set(_known(batch))
    n_entries = sum(
        (topic, each.docno) not in known for topic, pooled in documents.items() for each in pooled
    )
    built = {"sha256": sha256, "n_entries": n_entries, "reasons": ["rank"]}
    with work.writing(job):
        # First, because it locks the row: nobody deletes the draft while its entries are written.
        if not building.move(Batch.State.BUILT, **built):
            return "The draft was deleted while it was being built."
        _save(batch, documents, topics, {run.tag: run.pk for run in runs}, known)
    writing.tidy(PoolEntry)
    counts = ((n_entries, "document"), (len(topics), "topic"), (len(runs), "run"))
    return "{} for {}, from {}.".format(*(counted(*each) for each in counts))


def _known(batch: Batch) -> Iterator[tuple[str, str]]:
    """Yield (topic, docno) of what the pool has already."""
    entries = PoolEntry.objects.in_pool_of(batch.campaign)
    return entries.values_list("topic__number", "item__key").iterator()


def _save(
    batch: Batch,
    documents: DocumentsByTopic,
    topics: Mapping[str, int],
    run_ids: Mapping[str, int],
    known: Container[tuple[str, str]],
) -> None:
    """Write the entries, and what each run contributed; `topics` and `run_ids` are primary keys."""
    items = Item.objects.of_documents(
        batch.campaign,
        ((topics[number], each.docno) for number, pooled in documents.items() for each in pooled),
    )
    rows = (
        PoolEntry(
            batch=batch,
            topic_id=topics[number],
            item_id=items[topics[number], document.docno],
            is_new=(number, document.docno) not in known,
            position=position,
            reason=0,
            run_ids=[run_ids[tag] for tag, _ in document.contributions],
            ranks=[rank for _, rank in document.contributions],
        )
        for number, pooled in documents.items()
        for position, document in enumerate(pooled)
    )
    PoolEntry.objects.bulk_create(rows, batch_size=tables.BATCH)
    for tag, what in contributed(documents, run_ids).items():
        shared = {run_ids[other]: n for other, n in what.shared.items()}
        contributors = batch.contributors.filter(run=run_ids[tag])
        contributors.update(n_contributed=what.n, n_unique=what.n_unique, shared=shared)
