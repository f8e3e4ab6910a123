"""Jobs: rows that say what a worker must do, and every change of their state.

One worker at a time holds a job: a claim changes the job's token, and a worker writes only under
its token. A worker that was taken for dead and is not finds another token, and stops.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from celery import Task, shared_task
from django.core.cache import cache
from django.db import OperationalError, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from accounts.access import NotThere
from cleverdon.trec.streams import FormatError
from jobs import broker, database
from jobs.acting import acting
from jobs.models import Job, job_labels, job_subjects, unlisted_kinds
from jobs.storage import Full, Missing, as_full

if TYPE_CHECKING:
    from django.db.models import Model

    from accounts.models import User
    from campaigns.models.campaign import Campaign

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 2
WORKER_SECONDS = 10
UNEXPECTED = "An unexpected error ended the work ({}). It has been logged."


class CannotFinish(Exception):
    """Raised by a job's work with one sentence; the job fails and is not tried again."""


class Unusable(Exception):
    """Raised by a job's work with the sentence that refuses its file; trying again cannot help."""


class Superseded(Exception):
    """Raised in the work of a job that has ended or that another worker holds: do not write."""


Work = Callable[[Job], str | None]
GiveUp = Callable[[Job], None]


class JobKind(NamedTuple):
    """A kind of job: its stored name, its work, what its failure does, and its Celery task."""

    name: str
    work: Work
    give_up: GiveUp | None
    task: Task[[int], None]

    def __call__(self, job_id: int) -> None:
        run(job_id, self.work)


kinds: dict[str, JobKind] = {}


def kind(
    label: str,
    *,
    of: type[Model] | None = None,
    give_up: GiveUp | None = None,
    is_listed: bool = True,
) -> Callable[[Work], JobKind]:
    """Register a function as a kind of job under its own name; `label` is like "build the pool".

    `of` is the model of the row that it works on, unless that is the campaign. A kind that pages
    ask for by themselves is not `is_listed`.
    The function takes the job and returns its outcome in one sentence, or None if other tasks
    continue the work, each by calling `part`. It may be called twice for one job, and writes its
    result inside `writing`. `give_up` is called in the transaction that fails the job, for any
    reason, and leaves the job's subject in a final state.
    """

    def register(work: Work) -> JobKind:
        name = work.__name__

        @shared_task(name=f"{work.__module__}.{name}")
        def task(job_id: int) -> None:
            run(job_id, work)

        kinds[name] = JobKind(name, work, give_up, task)
        job_labels[name] = label
        if of:
            job_subjects[name] = of
        if not is_listed:
            unlisted_kinds.add(name)
        return kinds[name]

    return register


def request(
    *,
    campaign: Campaign,
    kind: JobKind,
    subject_id: int,
    user: User,
    file: object = "",
    about: str = "",
    **options: object,
) -> Job:
    """Create a job, queued when the transaction is committed; `about` names the file worked on.

    `options` are what was asked besides, for the work to look up.
    """
    job = Job.objects.create(
        campaign=campaign,
        kind=kind.name,
        subject_id=subject_id,
        created_by=user,
        file=file,
        about=about,
        options=options,
    )
    transaction.on_commit(partial(enqueue, job.pk, kind.name))
    return job


def enqueue(job_id: int, kind: str, *, is_urgent: bool = False) -> None:
    """Queue a waiting job. While Redis is away nothing happens, and `requeue_lost_jobs` does it."""
    broker.send(kinds[kind].task, job_id, is_urgent=is_urgent)


def claim(job_id: int) -> Job | None:
    """Start a waiting job; return None if another worker has it or it is finished."""
    with transaction.atomic():
        claimed = Job.objects.filter(pk=job_id).move(
            Job.State.RUNNING,
            started_at=timezone.now(),
            heartbeat_at=Now(),
            attempts=F("attempts") + 1,
            token=F("token") + 1,
            progress=0,
            is_divided=False,
            n_silent=0,
        )
        return _running(job_id) if claimed else None


def _running(job_id: int) -> Job | None:
    jobs = Job.objects.select_related("campaign", "created_by")
    return jobs.filter(pk=job_id, state=Job.State.RUNNING).first()


def run(job_id: int, work: Work) -> None:
    """Do the work of a job and store its outcome, or the reason why it failed."""
    job = claim(job_id)
    if job is None:
        return
    logger.info("job=%s kind=%s attempt=%s", job.pk, job.kind, job.attempts)
    _attempt(job, work)


def part(job_id: int, token: int, work: Work) -> None:
    """Do a part of the running job with this token; if the part fails, so does the job."""
    job = _running(job_id)
    if job is not None and job.token == token:
        _attempt(job, work)


def _attempt(job: Job, work: Work) -> None:
    try:
        with database.repeating(partial(_beat, job), HEARTBEAT_SECONDS, f"heartbeat-{job.pk}"):
            outcome = work(job)
        if outcome is None:
            _hold(job, is_divided=True)
        else:
            _end(job, Job.State.DONE, outcome)
    except Superseded:
        logger.warning("job=%s token=%s superseded", job.pk, job.token)
    except Unusable as reason:
        _end(job, Job.State.REFUSED, str(reason))
    except (CannotFinish, FormatError, Full, Missing) as reason:
        fail(job, str(reason))
    except Exception as bug:
        if full := as_full(bug):
            fail(job, str(full))
        elif not (isinstance(bug, OperationalError) or database.is_away(bug)):
            fail(job, UNEXPECTED.format(type(bug).__name__))
        # After a lost connection to the database, the search for silent jobs queues it again.
        raise


def _beat(job: Job) -> bool:
    """Note that the worker is alive; return False if the job is no longer its own."""
    database.attend(attention(job))
    return bool(Job.objects.held(job).update(heartbeat_at=Now(), n_silent=0))


def attention(job: Job) -> int:
    """Return the key of the lock that the worker of this claim holds."""
    return 1969 << 48 | (job.pk & 0xFFFFFFFF) << 16 | (job.token & 0xFFFF)


def report(job: Job, progress: int, total: int | None = None) -> None:
    """Store the progress in units of `total`; Superseded if the job is no longer this worker's."""
    totals = {} if total is None else {"total": total}
    _hold(job, progress=progress, **totals)


def _hold(job: Job, **changes: int) -> None:
    held = Job.objects.held(job)
    if not held.update(heartbeat_at=Now(), n_silent=0, **changes):
        raise Superseded


@contextmanager
def writing(job: Job) -> Iterator[None]:
    """Open a transaction for the work's results, in which nobody else claims the job.

    Superseded if the job is no longer this worker's.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(acting(job.campaign_id))
        except NotThere as deleted:  # with its campaign
            raise Superseded from deleted
        held = Job.objects.held(job).select_for_update(no_key=True)
        if not held.values_list("pk"):
            raise Superseded
        yield


@transaction.atomic
def fail(job: Job, reason: str) -> None:
    """End a running job that cannot be done, and leave its subject in a final state."""
    if _end(job, Job.State.FAILED, reason) and (give_up := kinds[job.kind].give_up):
        give_up(job)


def _end(job: Job, state: Job.State, outcome: str) -> bool:
    """End the job; return False if it is no longer this worker's, or has ended."""
    ended = Job.objects.held(job).move(state, outcome=outcome, finished_at=timezone.now())
    logger.info("job=%s state=%s is_stored=%s", job.pk, state, bool(ended))
    return bool(ended)


def cancel(kind: JobKind, subject_id: int, reason: str) -> None:
    """End the unfinished job about a subject; its worker stops at its next report."""
    unfinished = Job.objects.unfinished().filter(kind=kind.name, subject_id=subject_id)
    unfinished.move(Job.State.FAILED, outcome=reason, finished_at=timezone.now())


def retry(job: Job) -> bool:
    """Queue a failed job as if it were new; return False if it has not failed."""
    failed = Job.objects.filter(pk=job.pk, state=Job.State.FAILED)
    is_queued = failed.move(
        Job.State.WAITING, attempts=0, heartbeat_at=Now(), finished_at=None, outcome=""
    )
    if is_queued:
        transaction.on_commit(partial(enqueue, job.pk, job.kind))
    return bool(is_queued)


def note_worker_alive() -> None:
    cache.set("worker_alive", timezone.now(), WORKER_SECONDS)


def note_worker_gone() -> None:
    cache.delete("worker_alive")


def is_worker_alive() -> bool:
    return cache.get("worker_alive") is not None
