"""Forecast pools and build batches of them, in a worker."""

import tempfile

from django.core.files import File

from collection.bulk import writing
from jobs import work
from jobs.models import Job
from jobs.storage import local_path
from jobs.work import CannotFinish
from pooling.building import build, docnos_by_topic, save
from pooling.core.forecast import NumberedRuns
from pooling.from_above import existing_judgments
from pooling.models.batches import Batch
from pooling.models.entries import PoolEntry
from pooling.models.forecasts import Forecast, forecast_key
from runs.models import Run
from trec.runs.stored import open_columns
from trec.words import counted

MOST_EXISTING = 63  # whose documents are marked, the newest


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
    pooled = docnos_by_topic(PoolEntry.objects.with_grades_in(campaign))
    existing = dict(list(existing_judgments(campaign).items())[:MOST_EXISTING])
    known = [pooled, *(each.grades() for each in existing.values())]
    numbered = NumberedRuns.of(opened, topics, known)
    before = forecast.file.name
    with tempfile.TemporaryFile() as stream:
        numbered.write(stream)
        with work.writing(job):
            forecast.key, forecast.run_ids = key, [run.pk for run in runs]
            forecast.existing = [*existing]
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
    built, formed = build(batch)
    if batch.expected_sha256 not in {"", built["sha256"]}:
        raise CannotFinish(
            "Formed here, the batch has another hash than its file: the file was changed, or runs, "
            "topics or the pool are not those that it was formed of."
        )
    with work.writing(job):
        # First, because it locks the row: nobody deletes the draft while its entries are written.
        if not building.move(Batch.State.BUILT, **built):
            return "The draft was deleted while it was being built."
        save(batch, formed, built["reasons"])
    writing.tidy(PoolEntry)
    n_runs = batch.contributors.count()
    counts = ((built["n_entries"], "document"), (len(formed), "topic"), (n_runs, "run"))
    return "{} for {}, from {}.".format(*(counted(*each) for each in counts))
