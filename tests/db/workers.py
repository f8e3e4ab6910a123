"""A job to be done, and workers that fall silent."""

from django.db.models.functions import Now

from jobs import work
from jobs.models import Job
from pooling.tasks import build_pool


def job_of(campaign, olga) -> Job:
    return work.request(campaign=campaign, kind=build_pool, subject_id=1, user=olga)


def silence(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(heartbeat_at=Now() - work.LOST_AFTER * 2)


def search(job: Job) -> None:
    """What beat asks for every three seconds, until a silent worker is taken for dead."""
    silence(job)
    for _ in range(work.SEARCHES):
        work.requeue_lost()
