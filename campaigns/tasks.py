"""What workers do for a campaign: import documents, check runs, queue lost jobs again."""

import hashlib
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import BinaryIO

from celery import shared_task
from django.conf import settings
from django.core.files import File

from campaigns import jobs
from campaigns.bulk import BATCH, unknown_docnos, write_documents
from campaigns.models import Job, Run
from trec.documents import read_documents
from trec.runs import check, stored
from trec.streams import opened


@shared_task
def requeue_lost_jobs() -> None:
    jobs.requeue_lost()


@jobs.kind("import documents")
def import_documents(job: Job) -> str:
    """Import the uploaded documents in batches; one with a docno already imported replaces the earlier one."""
    n_read = n_new = 0
    with job.file.open("rb") as file:
        jobs.report(job, 0, file.size)
        records = read_documents(opened(file.file, limit=settings.MAX_EXPANDED_BYTES))
        try:
            while batch := list(islice(records, BATCH)):
                n_new += write_documents(job.campaign, batch)
                n_read += len(batch)
                jobs.report(job, file.tell())
        except ValueError as error:
            raise jobs.CannotFinish(
                f"{error} The {n_read:,} documents before it were imported."
            ) from error
    return f"{n_read:,} documents read: {n_new:,} new, {n_read - n_new:,} replaced."


@jobs.kind("check a run")
def check_run(job: Job) -> str:
    """Check, rank and store a run; its report lists the faults."""
    run = Run.objects.select_related("campaign").get(pk=job.subject_id)
    if run.state not in {Run.State.WAITING, Run.State.CHECKING}:
        return f"Run {run} is already {run.state}."
    _move(run, Run.State.CHECKING)
    with run.file.open("rb") as file:
        sha256 = hashlib.file_digest(file.file, "sha256").hexdigest()
        file.seek(0)
        jobs.report(job, 0, file.size)
        checked = _checked(run, file.file, partial(jobs.report, job))
    run.sha256, run.report = sha256, checked.report.to_json()
    if checked.run is not None:
        with tempfile.TemporaryFile() as columns:
            stored.write(checked.run, columns)
            run.columns.save("columns", File(columns), save=False)
    run.save(update_fields=["sha256", "report", "columns"])
    _move(run, Run.State.VALID if checked.run is not None else Run.State.INVALID)
    return f"Run {run} is {run.state}."


def _checked(
    run: Run, file: BinaryIO, on_progress: Callable[[int], None]
) -> check.Checked:
    campaign = run.campaign
    topics = list(campaign.topic_set.values_list("number", flat=True))
    stream = opened(file, limit=settings.MAX_EXPANDED_BYTES)
    return check.check_run(
        stream,
        tag=run.tag,
        topics=topics,
        depth=campaign.run_depth,
        unknown=partial(unknown_docnos, campaign)
        if campaign.has_whole_collection
        else None,
        on_progress=on_progress,
    )


def _move(run: Run, state: str) -> None:
    """Change the state of a run; a second attempt at the job may find it changed already."""
    row = Run.objects.filter(pk=run.pk)
    if not row.move(state) and not row.filter(state=state).exists():
        raise jobs.CannotFinish(f"Run {run} was withdrawn while it was being checked.")
    run.state = state
