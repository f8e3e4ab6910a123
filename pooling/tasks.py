"""Forecast pools, build batches of them and find duplicates in them, in a worker."""

import tempfile
from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.core.files import File

from accounts.access import Refused
from campaigns.models.campaign import Campaign
from cleverdon.trec.mapped import DamagedFile
from cleverdon.trec.words import counted
from collection.bulk import tables, writing
from collection.models.likeness import likeness_texts
from jobs import work
from jobs.models import Job
from jobs.work import CannotFinish
from pooling.building import Formed, build, docnos_by_topic, save
from pooling.core.forecast import NumberedRuns
from pooling.freezing import grow_by, lock
from pooling.from_above import Existing, existing_judgments
from pooling.models.batches import Batch
from pooling.models.entries import PoolEntry
from pooling.models.forecasts import Forecast, forecast_key
from pooling.models.likenesses import Likeness
from pooling.models.pools import Pool
from runs.models import Run

EXTENDS = "extends"  # the option of a job whose batch a pool grows by: the id of the one before
MOST_EXISTING = 63  # whose documents are marked, the newest


@work.kind("forecast the pool", is_listed=False)
def forecast_pool(job: Job) -> str:
    """Prepare what any choice of the valid runs is counted from."""
    forecast = Forecast.objects.filter(pk=job.subject_id).select_related("campaign").first()
    if forecast is None:
        return "Nobody waits for this forecast any more."
    campaign, judgments = forecast.campaign, existing_judgments(forecast.campaign)
    key = forecast_key(campaign, judgments)
    runs = list(Run.objects.filter(campaign=campaign).valid().order_by("pk"))
    counted_in = dict(islice(judgments.items(), MOST_EXISTING))
    numbered = _numbered(campaign, runs, counted_in.values())
    with tempfile.TemporaryFile() as stream:
        numbered.write(stream)
        with work.writing(job):
            row = Forecast.objects.select_for_update(no_key=True).get(pk=forecast.pk)
            before = row.file.name  # perhaps of another job meanwhile
            forecast.key, forecast.run_ids = key, [run.pk for run in runs]
            forecast.existing = [*counted_in]
            forecast.file.save("forecast", File(stream), save=True)
    if before:
        forecast.file.storage.delete(before)
    return f"{counted(numbered.n_documents, 'document')} of {counted(len(runs), 'run')}."


def _numbered(
    campaign: Campaign, runs: Iterable[Run], existing: Iterable[Existing]
) -> NumberedRuns:
    topics = list(campaign.topic_set.values_list("number", flat=True))
    opened = [run.ranked() for run in runs]
    pooled = docnos_by_topic(PoolEntry.objects.with_grades_in(campaign))
    return NumberedRuns.of(opened, topics, [pooled, *(each.grades() for each in existing)])


def _give_up_building(job: Job) -> None:
    if EXTENDS in job.options:
        fault = Job.objects.filter(pk=job.pk).values("outcome")
        Pool.objects.filter(campaign=job.campaign_id).update(growth_fault=fault)
    Batch.objects.filter(pk=job.subject_id).move(Batch.State.FAILED)


@work.kind("build the pool", of=Batch, give_up=_give_up_building)
def build_batch(job: Job) -> str:
    """Form the documents of a batch by its strategy. Running it twice gives the same batch.

    What extends a pool by itself is then frozen, if it still can be.
    """
    row = Batch.objects.filter(pk=job.subject_id)
    row.move(Batch.State.BUILDING)  # one that failed is tried again
    batch = row.filter(state=Batch.State.BUILDING).first()
    if batch is None:
        return "The draft was deleted before it was built."
    try:
        built, formed = build(batch)
        gone = _stored(job, batch, built, formed)
    except (DamagedFile, Refused) as fault:
        raise CannotFinish(str(fault)) from fault
    if gone:
        return gone
    writing.tidy(PoolEntry)
    n_runs = batch.contributors.count()
    counts = ((built["n_entries"], "document"), (len(formed), "topic"), (n_runs, "run"))
    return "{} for {}, from {}.".format(*(counted(*each) for each in counts))


def _stored(job: Job, batch: Batch, built: dict[str, Any], formed: Formed) -> str:
    """Write a batch that was formed, or return why there is none any more."""
    if batch.expected_sha256 not in {"", built["sha256"]}:
        raise CannotFinish(
            "Formed here, the batch has another hash than its file: the file was changed, or runs, "
            "topics or the pool are not those that it was formed of."
        )
    extended = job.options.get(EXTENDS)
    with work.writing(job):
        writing.in_turn(batch.campaign)
        if extended:
            lock(batch.campaign)
        # First, because it locks the row: nobody deletes the draft while its entries are written.
        if not Batch.objects.filter(pk=batch.pk).move(Batch.State.BUILT, **built):
            return "The draft was deleted while it was being built."
        save(batch, formed, built["reasons"])
        return grow_by(batch, job.created_by, extended) if extended else ""


@work.kind("find duplicates")
def find_duplicates(job: Job) -> str:
    """Compare the documents of each topic with each other, and replace what was found before."""
    from pooling.core.duplicates import duplicates  # noqa: PLC0415 - scipy takes half a second

    campaign, found = job.campaign, list[Likeness]()
    entries = PoolEntry.objects.of(campaign).graded()
    topics = sorted(entries.of_each_topic())
    for n, topic in enumerate(topics):
        work.report(job, n, len(topics))
        items = dict(entries.filter(topic=topic).values_list("item__key", "item"))
        found += [
            Likeness(topic_id=topic, item_id=items[docno], **each._asdict())
            for docno, each in duplicates(likeness_texts(campaign, items)).items()
        ]
    with work.writing(job):
        writing.in_turn(campaign)
        Likeness.objects.of(campaign).delete()
        Likeness.objects.bulk_create(found, batch_size=tables.BATCH)
    n_groups = len({(each.topic_id, each.group) for each in found})
    return f"{counted(len(topics), 'topic')} compared: {counted(n_groups, 'group')} of duplicates."
