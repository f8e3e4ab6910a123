"""What workers do for a campaign: import documents, check runs, queue lost jobs again."""

import hashlib
import tempfile
from collections.abc import Callable
from functools import partial
from typing import BinaryIO

from celery import shared_task
from django.conf import settings
from django.core.files import File
from django.db import IntegrityError

from campaigns import jobs
from campaigns.bulk import batches, unknown_docnos, write_documents, write_topics
from campaigns.models import Job, Run
from trec.documents import read_documents
from trec.runs import check, stored
from trec.streams import opened
from trec.topics import MAX_BYTES as MAX_TOPIC_BYTES
from trec.topics import read_topics

# Gzip makes text of runs and documents 3 to 10 times shorter, the most repetitive perhaps 30 times.
MAX_EXPANSION = 100
# Of a run, whatever its campaign: a file of faults is read so far, so that its report can name the first of them.
LEAST_LINES = 200_000
# A line of a run is refused from 64 KiB on, and the rest is checked; a line that is much longer is not read to its end.
MAX_LINE_BYTES = 1 << 20


@shared_task
def requeue_lost_jobs() -> None:
    jobs.requeue_lost()


@jobs.kind("import topics")
def import_topics(job: Job) -> str:
    """Import the uploaded topics, all or none; one with a number already imported replaces the earlier one."""
    with job.file.open("rb") as file:
        jobs.report(job, 0, file.size)
        content = opened(file.file, limit=MAX_TOPIC_BYTES, max_expansion=MAX_EXPANSION)
        records = read_topics(content)
        jobs.report(job, file.size // 2)
    with jobs.writing(job):
        n_new = write_topics(job.campaign, records)
    n_replaced = len(records) - n_new
    return f"Topics imported: {n_new:,} new, {n_replaced:,} replaced."


@jobs.kind("import documents")
def import_documents(job: Job) -> str:
    """Import the uploaded documents in batches; one with a docno already imported replaces the earlier one."""
    n_read = n_new = 0
    with job.file.open("rb") as file:
        jobs.report(job, 0, file.size)
        limit = settings.MAX_EXPANDED_BYTES
        content = opened(file.file, limit=limit, max_expansion=MAX_EXPANSION)
        try:
            for batch in batches(read_documents(content)):
                with jobs.writing(job):
                    n_new += write_documents(job.campaign, batch)
                n_read += len(batch)
                jobs.report(job, file.tell())
        except ValueError as error:
            before = (
                f"The {n_read:,} documents before it were" if n_read else "Nothing was"
            )
            raise jobs.CannotFinish(f"{error} {before} imported.") from error
    return f"{n_read:,} documents read: {n_new:,} new, {n_read - n_new:,} replaced."


def _give_up_check(job: Job) -> None:
    """Free the tag of a run whose check failed; the run can be checked again or withdrawn."""
    Run.objects.filter(pk=job.subject_id).move(Run.State.UNCHECKED)


@jobs.kind("check a run", give_up=_give_up_check)
def check_run(job: Job) -> str:
    """Check, rank and store a run; its report lists the faults."""
    run = Run.objects.select_related("campaign").get(pk=job.subject_id)
    if run.state in {Run.State.VALID, Run.State.INVALID, Run.State.WITHDRAWN}:
        return f"Run {run} is already {run.state}."
    _begin(job, run)
    with run.file.open("rb") as file:
        sha256 = hashlib.file_digest(file.file, "sha256").hexdigest()
        file.seek(0)
        jobs.report(job, 0, file.size)
        checked = _checked(run, file.file, partial(jobs.report, job))
    run.sha256, run.report = sha256, checked.report.to_json()
    run.state = Run.State.INVALID if checked.run is None else Run.State.VALID
    if checked.run is not None:
        with tempfile.TemporaryFile() as columns:
            stored.write(checked.run, columns)
            run.columns.save("columns", File(columns), save=False)
    with jobs.writing(job):
        run.save(update_fields=["sha256", "report", "columns"])
        Run.objects.filter(pk=run.pk).move(run.state)
    return f"Run {run} is {run.state}."


def _checked(
    run: Run, file: BinaryIO, on_progress: Callable[[int], None]
) -> check.Checked:
    campaign = run.campaign
    topics = list(campaign.topic_set.values_list("number", flat=True))
    depth = campaign.run_depth
    stream = opened(
        file,
        limit=settings.MAX_RUN_BYTES,
        max_lines=max(LEAST_LINES, 2 * len(topics) * depth),
        max_line_bytes=MAX_LINE_BYTES,
        max_expansion=MAX_EXPANSION,
    )
    return check.check_run(
        stream,
        tag=run.tag,
        topics=topics,
        depth=depth,
        unknown=partial(unknown_docnos, campaign)
        if campaign.has_whole_collection
        else None,
        on_progress=on_progress,
    )


def _begin(job: Job, run: Run) -> None:
    """Mark a run as being checked, which an earlier attempt may have done."""
    try:
        with jobs.writing(job):
            Run.objects.filter(pk=run.pk).move(Run.State.CHECKING)
    except IntegrityError as error:
        raise jobs.CannotFinish(
            f"The tag {run.tag} was given to another run after the check of this one had failed."
        ) from error
