"""A job to be done, and workers that fall silent."""

from django.db.models.functions import Now

from campaigns import jobs
from campaigns.models.work import Job
from pooling.tasks import build_pool


def job_of(campaign, olga) -> Job:
    return jobs.request(campaign=campaign, kind=build_pool, subject_id=1, user=olga)


def silence(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(heartbeat_at=Now() - jobs.LOST_AFTER * 2)


def search(job: Job) -> None:
    """What beat asks for every three seconds, as often as it takes to take a silent worker for dead."""
    silence(job)
    for _ in range(jobs.SEARCHES):
        jobs.requeue_lost()
