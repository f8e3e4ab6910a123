"""Forecast pools and build batches of them from the stored runs, in a worker."""

import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from django.core.files import File

from campaigns.models.campaign import Campaign
from collection.bulk import tables, writing
from collection.models.items import Item
from jobs import work
from jobs.models import Job
from jobs.storage import local_path
from pooling.core.fingerprint import fingerprint, lines_of
from pooling.core.forecast import NumberedRuns
from pooling.core.forming import Before, Entry, form
from pooling.core.statistics import contributed
from pooling.models.batches import Batch, facts_of
from pooling.models.entries import PoolEntry
from pooling.models.forecasts import Forecast, forecast_key
from runs.models import Run
from trec.ranking import ORDER_RULES
from trec.runs.stored import open_columns
from trec.words import counted


@work.kind("forecast the pool", is_listed=False)
def forecast_pool(job: Job) -> str:
    """Prepare what any choice of the valid runs is counted from."""
    forecast = Forecast.objects.filter(pk=job.subject_id).select_related("campaign").first()
    if forecast is None:
        return "Nobody waits for this forecast any more."
    campaign, key = forecast.campaign, forecast_key(forecast.campaign)
    runs = list(Run.objects.filter(campaign=campaign).valid().order_by("pk"))
    topics = list(campaign.topic_set.values_list("number", flat=True))
    opened = [open_columns(local_path(run.columns)) for run in runs]
    numbered = NumberedRuns.of(opened, topics, _pooled(campaign))
    before = forecast.file.name
    with tempfile.TemporaryFile() as stream:
        numbered.write(stream)
        with work.writing(job):
            forecast.key, forecast.run_ids = key, [run.pk for run in runs]
            forecast.file.save("forecast", File(stream), save=True)
    if before:
        forecast.file.storage.delete(before)
    return f"{counted(numbered.n_documents, 'document')} of {counted(len(runs), 'run')}."


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
    runs = [each.run for each in batch.contributors.select_related("run")]
    topics = dict(batch.campaign.topic_set.values_list("number", "pk"))
    chosen = {number: topics[number] for number in batch.topics if number in topics} or topics
    formed = dict(_formed(batch, runs, chosen))
    hashes = {run.pk: run.sha256 for run in runs}
    n_entries = sum(each.is_new for entries in formed.values() for each in entries)
    reasons = sorted({each.reason for entries in formed.values() for each in entries})
    built = {
        "n_entries": n_entries,
        "sha256": fingerprint(lines_of(batch.recipe, hashes, formed.items())),
        "reasons": reasons,
        "n_swapped": _swapped(batch, runs, formed),
    }
    with work.writing(job):
        # First, because it locks the row: nobody deletes the draft while its entries are written.
        if not building.move(Batch.State.BUILT, **built):
            return "The draft was deleted while it was being built."
        _save(batch, formed, topics, reasons)
        _save_contributions(batch, formed, runs)
    writing.tidy(PoolEntry)
    counts = ((n_entries, "document"), (len(chosen), "topic"), (len(runs), "run"))
    return "{} for {}, from {}.".format(*(counted(*each) for each in counts))


def _formed(
    batch: Batch, runs: Sequence[Run], topics: Collection[str], order_rule: str = ""
) -> Iterator[tuple[str, list[Entry]]]:
    recipe = replace(batch.recipe, order_rule=order_rule or batch.order_rule)
    before = Before(_pooled(batch.campaign), step=batch.base)
    opened = {run.pk: open_columns(local_path(run.columns)) for run in runs}
    return form(opened, facts_of(runs), topics, recipe, before)


def _pooled(campaign: Campaign) -> dict[str, set[str]]:
    """Return by topic the docnos that the pool has."""
    pooled: dict[str, set[str]] = {}
    entries = PoolEntry.objects.in_pool_of(campaign)
    for number, key in entries.values_list("topic__number", "item__key").iterator():
        pooled.setdefault(number, set()).add(key)
    return pooled


def _swapped(
    batch: Batch, runs: Sequence[Run], formed: Mapping[str, Sequence[Entry]]
) -> dict[str, int]:
    """Count, by name, the documents that each other order rule would bring in."""
    has = {topic: {each.docno for each in entries} for topic, entries in formed.items()}
    return {
        rule: sum(
            each.docno not in has[topic]
            for topic, entries in _formed(batch, runs, formed, rule)
            for each in entries
        )
        for rule in ORDER_RULES
        if rule != batch.order_rule
    }


def _save(
    batch: Batch,
    formed: Mapping[str, Sequence[Entry]],
    topics: Mapping[str, int],
    reasons: Sequence[str],
) -> None:
    """Write the entries; `topics` are primary keys."""
    items = Item.objects.of_documents(
        batch.campaign,
        ((topics[number], each.docno) for number, entries in formed.items() for each in entries),
    )
    numbers = {reason: n for n, reason in enumerate(reasons)}
    rows = (
        PoolEntry(
            batch=batch,
            topic_id=topics[number],
            item_id=items[topics[number], each.docno],
            is_new=each.is_new,
            position=position,
            reason=numbers[each.reason],
            run_ids=list(each.runs),
            ranks=list(each.ranks),
        )
        for number, entries in formed.items()
        for position, each in enumerate(entries)
    )
    PoolEntry.objects.bulk_create(rows, batch_size=tables.BATCH)


def _save_contributions(
    batch: Batch, formed: Mapping[str, Sequence[Entry]], runs: Sequence[Run]
) -> None:
    found = contributed(formed.values(), [run.pk for run in runs])
    rows = list(batch.contributors.all())
    for row in rows:
        row.n_contributed, row.n_unique, row.shared = found[row.run_id]
    batch.contributors.bulk_update(rows, ["n_contributed", "n_unique", "shared"])
