"""Jobs: rows that say what a worker must do, every change of their state, and the search for lost ones."""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from celery import Task, shared_task
from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from campaigns.models import Campaign, Job
from campaigns.models.work import job_labels
from trec.streams import FormatError

logger = logging.getLogger(__name__)

LOST_AFTER = timedelta(seconds=60)
MAX_ATTEMPTS = 3
WORKER_SECONDS = 10


class CannotFinish(Exception):
    """Raised by the work of a job with one sentence that says why; the job fails and is not tried again."""


Work = Callable[[Job], str | None]


class JobKind(NamedTuple):
    """A kind of job: its name as stored, and its work. Called with a job's id, it does that job."""

    name: str
    work: Work

    def __call__(self, job_id: int) -> None:
        run(job_id, self.work)


# The Celery task of each kind of job, by its name.
_tasks: dict[str, Task[[int], None]] = {}


def kind(label: str) -> Callable[[Work], JobKind]:
    """Register a function as a kind of job under its own name; `label` says what it does, as in "build the pool".

    The function takes the job and returns its outcome in one sentence, or None if other tasks continue the work, each by
    calling `part`. It may be called twice for one job.
    """

    def register(work: Work) -> JobKind:
        job_kind = JobKind(work.__name__, work)

        @shared_task(name=f"{work.__module__}.{job_kind.name}")
        def task(job_id: int) -> None:
            job_kind(job_id)

        _tasks[job_kind.name] = task
        job_labels[job_kind.name] = label
        return job_kind

    return register


def request(
    *,
    campaign: Campaign,
    kind: JobKind,
    subject_id: int,
    user: User,
    file: object = "",
) -> Job:
    """Create the job, and queue it once the transaction is committed."""
    job = Job.objects.create(
        campaign=campaign,
        kind=kind.name,
        subject_id=subject_id,
        created_by=user,
        file=file,
    )
    transaction.on_commit(partial(enqueue, job.pk, kind.name))
    return job


def enqueue(job_id: int, kind: str) -> None:
    _tasks[kind].delay(job_id)


def claim(job_id: int) -> Job | None:
    """Start a waiting job; return None if another worker has it or it is finished."""
    now = timezone.now()
    claimed = Job.objects.filter(pk=job_id).move(
        Job.State.RUNNING,
        started_at=now,
        heartbeat_at=now,
        attempts=F("attempts") + 1,
        progress=0,
    )
    return _running(job_id) if claimed else None


def _running(job_id: int) -> Job | None:
    jobs = Job.objects.select_related("campaign", "created_by")
    return jobs.filter(pk=job_id, state=Job.State.RUNNING).first()


def run(job_id: int, work: Work) -> None:
    """Do the work of a job and store its outcome: a sentence if it is done, the reason if it failed."""
    job = claim(job_id)
    if job is None:
        return
    logger.info("job=%s kind=%s attempt=%s", job.pk, job.kind, job.attempts)
    _attempt(job, work)


def part(job_id: int, work: Work) -> None:
    """Do a part of a running job; if the part fails, so does the job."""
    job = _running(job_id)
    if job is not None:
        _attempt(job, work)


def _attempt(job: Job, work: Work) -> None:
    try:
        outcome = work(job)
    except (CannotFinish, FormatError) as reason:
        finish(job, Job.State.FAILED, str(reason))
    except Exception as bug:
        finish(
            job,
            Job.State.FAILED,
            f"An unexpected error ended the work ({type(bug).__name__}). It has been logged.",
        )
        raise
    else:
        if outcome is not None:
            finish(job, Job.State.DONE, outcome)


def report(job: Job, progress: int, total: int | None = None) -> None:
    """Store the progress, in the units of `total`. This is also the job's heartbeat: see LOST_AFTER."""
    changes = {"progress": progress, "heartbeat_at": timezone.now()}
    if total is not None:
        changes["total"] = total
    Job.objects.filter(pk=job.pk).update(**changes)


def finish(job: Job, state: Job.State, outcome: str) -> None:
    logger.info("job=%s state=%s", job.pk, state)
    Job.objects.filter(pk=job.pk).move(
        state, outcome=outcome, finished_at=timezone.now()
    )


def retry(job: Job) -> bool:
    """Queue a failed job again as if it were new; return False if it has not failed."""
    failed = Job.objects.filter(pk=job.pk, state=Job.State.FAILED)
    is_queued = failed.move(
        Job.State.WAITING,
        attempts=0,
        heartbeat_at=timezone.now(),
        finished_at=None,
        outcome="",
    )
    if is_queued:
        transaction.on_commit(partial(enqueue, job.pk, job.kind))
    return bool(is_queued)


def requeue_lost() -> int:
    """Queue again the jobs whose worker or message was lost; fail those lost MAX_ATTEMPTS times. Return how many were queued."""
    now = timezone.now()
    silent = Job.objects.unfinished().filter(heartbeat_at__lt=now - LOST_AFTER)
    silent.filter(state=Job.State.RUNNING, attempts__gte=MAX_ATTEMPTS).move(
        Job.State.FAILED,
        finished_at=now,
        outcome=f"The worker was lost {MAX_ATTEMPTS} times while doing this; see the worker's log.",
    )
    lost = list(silent.values_list("pk", "kind"))
    silent.move(Job.State.WAITING)
    silent.update(heartbeat_at=now)
    for job_id, kind in lost:
        enqueue(job_id, kind)
    return len(lost)


def note_worker_alive() -> None:
    cache.set("worker_alive", timezone.now(), WORKER_SECONDS)


def note_worker_gone() -> None:
    cache.delete("worker_alive")


def is_worker_alive() -> bool:
    return cache.get("worker_alive") is not None
