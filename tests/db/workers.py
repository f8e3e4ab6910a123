"""A job to be done, and workers that fall silent."""

from django.db.models.functions import Now

from jobs import tasks, work
from jobs.models import Job
from pooling.tasks import build_batch


def job_of(campaign, olga) -> Job:
    return work.request(campaign=campaign, kind=build_batch, subject_id=1, user=olga)


def silence(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(heartbeat_at=Now() - tasks.LOST_AFTER * 2)


def search(job: Job) -> None:
    """Search for lost jobs until a silent worker counts as dead."""
    silence(job)
    for _ in range(tasks.SEARCHES):
        tasks.requeue_lost_jobs()
