"""What workers do for a campaign: import topics and documents, queue lost jobs again. `checking` has what they do with runs."""

from celery import shared_task
from django.conf import settings

from campaigns import jobs, unpacking
from campaigns.bulk import batches, write_documents, write_topics
from campaigns.checking import MAX_EXPANSION, check_run, request_recheck
from campaigns.models import Job
from trec.documents import read_documents
from trec.streams import opened
from trec.topics import MAX_BYTES as MAX_TOPIC_BYTES
from trec.topics import read_topics

__all__ = [
    "check_run",
    "import_documents",
    "import_topics",
    "requeue_lost_jobs",
    "unpacking",
]


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
        request_recheck(job.campaign, job.created_by)
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
            if n_read:
                request_recheck(job.campaign, job.created_by)
            raise jobs.CannotFinish(f"{error} {before} imported.") from error
    request_recheck(job.campaign, job.created_by)
    return f"{n_read:,} documents read: {n_new:,} new, {n_read - n_new:,} replaced."
