"""Forecast pools, build batches of them and find duplicates in them, in a worker."""

import tempfile
from collections.abc import Iterable
from itertools import islice

from django.core.files import File

from campaigns.models.campaign import Campaign
from cleverdon.trec.words import counted
from collection.bulk import tables, writing
from collection.models.likeness import likeness_texts
from jobs import work
from jobs.models import Job
from jobs.work import CannotFinish
from pooling.building import build, docnos_by_topic, save
from pooling.core.forecast import NumberedRuns
from pooling.from_above import Existing, existing_judgments
from pooling.models.batches import Batch
from pooling.models.entries import PoolEntry
from pooling.models.forecasts import Forecast, forecast_key
from pooling.models.likenesses import Likeness
from runs.models import Run

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
    built, formed = build(batch)
    if batch.expected_sha256 not in {"", built["sha256"]}:
        raise CannotFinish(
            "Formed here, the batch has another hash than its file: the file was changed, or runs, "
            "topics or the pool are not those that it was formed of."
        )
    with work.writing(job):
        writing.in_turn(batch.campaign)
        # First, because it locks the row: nobody deletes the draft while its entries are written.
        if not building.move(Batch.State.BUILT, **built):
            return "The draft was deleted while it was being built."
        save(batch, formed, built["reasons"])
    writing.tidy(PoolEntry)
    n_runs = batch.contributors.count()
    counts = ((built["n_entries"], "document"), (len(formed), "topic"), (n_runs, "run"))
    return "{} for {}, from {}.".format(*(counted(*each) for each in counts))


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
