"""What beat asks for: the search for lost jobs."""

from celery import shared_task

from jobs import work


@shared_task
def requeue_lost_jobs() -> None:
    work.requeue_lost()
