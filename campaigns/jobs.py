"""Jobs: rows that say what must happen, and the one way to run them so that nothing is lost."""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from celery import current_app
from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from campaigns.core.formats import FormatError
from campaigns.models import Campaign, Job, User

logger = logging.getLogger(__name__)

# The tasks live on floors above; what goes down is their name.
TASKS = {
    Job.Kind.CHECK_RUN: "campaigns.tasks.check_run",
    Job.Kind.IMPORT_DOCUMENTS: "campaigns.tasks.import_documents",
    Job.Kind.BUILD_POOL: "pooling.tasks.build_pool",
    Job.Kind.SCORE_RUNS: "evaluation.tasks.score_runs",
}
REFRESH = "evaluation.tasks.refresh_preliminary"
# A burst of judgments is scored together: so much time between two refreshes at least.
REFRESH_SECONDS = 0.5
LOST_AFTER = timedelta(seconds=60)
MAX_ATTEMPTS = 3
WORKER_SECONDS = 10


class CannotFinish(Exception):
    """Raised inside a job with the one sentence that says why it failed; it is not tried again."""


def request(
    *,
    campaign: Campaign,
    kind: Job.Kind,
    subject_id: int,
    user: User,
    file: object = "",
) -> Job:
    """Write the job down, and tell the queue once the transaction is safe."""
    job = Job.objects.create(
        campaign=campaign, kind=kind, subject_id=subject_id, created_by=user, file=file
    )
    transaction.on_commit(partial(enqueue, job.pk, kind))
    return job


def enqueue(job_id: int, kind: str) -> None:
    current_app.send_task(TASKS[Job.Kind(kind)], [job_id])


def claim(job_id: int) -> Job | None:
    """Make the job ours; None when another worker has it or it is finished."""
    now = timezone.now()
    ours = Job.objects.filter(pk=job_id, state=Job.State.WAITING).update(
        state=Job.State.RUNNING,
        started_at=now,
        heartbeat_at=now,
        attempts=F("attempts") + 1,
        progress=0,
    )
    return (
        Job.objects.select_related("campaign", "created_by").get(pk=job_id)
        if ours
        else None
    )


def run(job_id: int, work: Callable[[Job], str | None]) -> None:
    """Do the work of a job and keep its outcome: a sentence when done, a reason when it failed.

    Work that returns None goes on in other tasks, each of them a `part`.
    """
    job = claim(job_id)
    if job is None:
        return
    logger.info("job=%s kind=%s attempt=%s", job.pk, job.kind, job.attempts)
    _attempt(job, work)


def part(job_id: int, work: Callable[[Job], str | None]) -> None:
    """Do a part of a running job; a failed part fails the job."""
    job = (
        Job.objects.select_related("campaign", "created_by")
        .filter(pk=job_id, state=Job.State.RUNNING)
        .first()
    )
    if job is not None:
        _attempt(job, work)


def _attempt(job: Job, work: Callable[[Job], str | None]) -> None:
    try:
        outcome = work(job)
    except (CannotFinish, FormatError) as reason:
        finish(job, Job.State.FAILED, str(reason))
    except Exception as bug:
        finish(
            job,
            Job.State.FAILED,
            f"An unforeseen error ended the work ({type(bug).__name__}). It has been logged.",
        )
        raise
    else:
        if outcome is not None:
            finish(job, Job.State.DONE, outcome)


def report(job: Job, progress: int, total: int | None = None) -> None:
    """Note how far the work is; this is also the job's heartbeat."""
    changes = {"progress": progress, "heartbeat_at": timezone.now()}
    if total is not None:
        changes["total"] = total
    Job.objects.filter(pk=job.pk).update(**changes)


def finish(job: Job, state: Job.State, outcome: str) -> None:
    logger.info("job=%s state=%s", job.pk, state)
    Job.objects.filter(pk=job.pk).update(
        state=state, outcome=outcome, finished_at=timezone.now()
    )


def requeue_lost() -> int:
    """Tell the queue again about jobs whose worker or message was lost; give up after three attempts."""
    now = timezone.now()
    silent = Job.objects.unfinished().filter(heartbeat_at__lt=now - LOST_AFTER)
    silent.filter(state=Job.State.RUNNING, attempts__gte=MAX_ATTEMPTS).update(
        state=Job.State.FAILED,
        finished_at=now,
        outcome=f"The worker was lost {MAX_ATTEMPTS} times while doing this; see the worker's log.",
    )
    lost = list(silent.values_list("pk", "kind"))
    Job.objects.filter(pk__in=[pk for pk, _ in lost]).update(
        state=Job.State.WAITING, heartbeat_at=now
    )
    for job_id, kind in lost:
        enqueue(job_id, kind)
    return len(lost)


def announce_judgments(campaign_id: int) -> None:
    """Have the preliminary scores follow the judgments, unless they are about to."""
    if cache.add(_due(campaign_id), 1, 60):
        current_app.send_task(REFRESH, [campaign_id])


def begin_refresh(campaign_id: int) -> None:
    """Note that judgments are being read: those of from now on must be announced again.

    Soon after another refresh this waits, while more judgments come in. (A task sent with a delay would do the same without
    keeping a worker, but Celery's clock for those ticks in whole seconds.)
    """
    last = f"refreshed_{campaign_id}"
    waited = time.time() - cache.get(last, 0)
    time.sleep(max(0.0, min(REFRESH_SECONDS, REFRESH_SECONDS - waited)))
    cache.set(last, time.time(), 60)
    cache.delete(_due(campaign_id))


def _due(campaign_id: int) -> str:
    return f"refresh_due_{campaign_id}"


def note_worker_alive() -> None:
    cache.set("worker_alive", timezone.now(), WORKER_SECONDS)


def note_worker_gone() -> None:
    cache.delete("worker_alive")


def is_worker_alive() -> bool:
    return cache.get("worker_alive") is not None
