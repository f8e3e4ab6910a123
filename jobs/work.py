"""Jobs: rows that say what a worker must do, every change of their state, and the search for lost ones.

A job is held by one worker at a time: a claim changes the job's token, and whatever a worker writes is written under its
token. A worker that was taken for dead and is not finds another token there, and stops.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from celery import Task, shared_task
from django.core.cache import cache
from django.db import Error, OperationalError, connection, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from accounts.access import NotThere
from jobs import broker, database
from jobs.acting import acting
from jobs.models import Job, JobQuerySet, job_labels, unlisted_kinds
from jobs.storage import Full, Missing, as_full
from trec.streams import FormatError

if TYPE_CHECKING:
    from accounts.models import User
    from campaigns.models.campaign import Campaign

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
# One whose worker is silent and still there, as a step may keep all of its threads from running, gets longer.
SILENT_AT_MOST = timedelta(minutes=10)
# A job whose worker died is queued again after LOST_AFTER and two searches, of which beat asks for one every 3 seconds.
HEARTBEAT_SECONDS = 2
LOST_AFTER = timedelta(seconds=8)
SEARCHES = 2
WORKER_SECONDS = 10
ATTENDED = """
    SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database AND datname = current_database()
    WHERE locktype = 'advisory' AND objsubid = 1 AND classid = %s AND objid = %s
"""


class CannotFinish(Exception):
    """Raised by the work of a job with one sentence that says why; the job fails and is not tried again."""


class Unusable(Exception):
    """Raised by the work of a job with the sentence that refuses its file; to try again cannot help."""


class Superseded(Exception):
    """Raised in the work of a job that another worker holds by now, or that was ended: nothing more may be written."""


Work = Callable[[Job], str | None]
GiveUp = Callable[[Job], None]


class JobKind(NamedTuple):
    """A kind of job: its name as stored, its work, and what its failure means. Called with a job's id, it does that job."""

    name: str
    work: Work
    give_up: GiveUp | None

    def __call__(self, job_id: int) -> None:
        run(job_id, self.work)


kinds: dict[str, JobKind] = {}
# The Celery task of each kind of job, by its name.
kind_tasks: dict[str, Task[[int], None]] = {}


def kind(
    label: str, *, give_up: GiveUp | None = None, is_listed: bool = True
) -> Callable[[Work], JobKind]:
    """Register a function as a kind of job under its own name; `label` says what it does, as in "build the pool".

    One that a page asks for by itself is not `is_listed` among those that people asked for.

    The function takes the job and returns its outcome in one sentence, or None if other tasks continue the work, each by
    calling `part`. It may be called twice for one job, and writes its result inside `writing`. `give_up` is called in the
    transaction that fails the job, whatever the reason, and leaves the job's subject in a final state.
    """

    def register(work: Work) -> JobKind:
        job_kind = JobKind(work.__name__, work, give_up)

        @shared_task(name=f"{work.__module__}.{job_kind.name}")
        def task(job_id: int) -> None:
            job_kind(job_id)

        kinds[job_kind.name], kind_tasks[job_kind.name] = job_kind, task
        job_labels[job_kind.name] = label
        if not is_listed:
            unlisted_kinds.add(job_kind.name)
        return job_kind

    return register


def request(
    *,
    campaign: Campaign,
    kind: JobKind,
    subject_id: int,
    user: User,
    file: object = "",
    about: str = "",
) -> Job:
    """Create the job, and queue it once the transaction is committed; `about` names the file that it works on."""
    job = Job.objects.create(
        campaign=campaign,
        kind=kind.name,
        subject_id=subject_id,
        created_by=user,
        file=file,
        about=about,
    )
    transaction.on_commit(partial(enqueue, job.pk, kind.name))
    return job


def enqueue(job_id: int, kind: str, *, is_urgent: bool = False) -> None:
    """Tell the queue of a waiting job. While Redis is away nobody is told, and `requeue_lost` does it later."""
    broker.send(kind_tasks[kind], job_id, is_urgent=is_urgent)


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
    """Do the work of a job and store its outcome: a sentence if it is done, the reason if it failed."""
    job = claim(job_id)
    if job is None:
        return
    logger.info("job=%s kind=%s attempt=%s", job.pk, job.kind, job.attempts)
    _attempt(job, work)


def part(job_id: int, token: int, work: Work) -> None:
    """Do a part of the running job that has this token; if the part fails, so does the job."""
    job = _running(job_id)
    if job is not None and job.token == token:
        _attempt(job, work)


def _attempt(job: Job, work: Work) -> None:
    try:
        with _beating(job):
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
            fail(
                job,
                f"An unexpected error ended the work ({type(bug).__name__}). It has been logged.",
            )
        # The job of a lost connection to the database is found without a heartbeat, and queued again.
        raise


@contextmanager
def _beating(job: Job) -> Iterator[None]:
    """Keep the job's heartbeat going from a thread, however long a step of the work takes."""
    is_over, is_attended = threading.Event(), threading.Event()
    name, arguments = f"heartbeat-{job.pk}", (job, is_over, is_attended)
    thread = threading.Thread(target=_beat, args=arguments, name=name, daemon=True)
    thread.start()
    is_attended.wait(HEARTBEAT_SECONDS)
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _beat(job: Job, is_over: threading.Event, is_attended: threading.Event) -> None:
    try:
        while True:
            try:
                _attend(job)
                if not Job.objects.held(job).update(heartbeat_at=Now(), n_silent=0):
                    return
                is_attended.set()
            except Error:  # the database is away; the next beat tries again
                connection.close_if_unusable_or_obsolete()
            if is_over.wait(HEARTBEAT_SECONDS):
                return
    finally:
        connection.close()
        is_attended.set()


def _attend(job: Job) -> None:
    """Have this session of the database say that the worker is there, for as long as its process is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock_shared(%s)", [_attention(job)])


def _is_attended(job: Job) -> bool:
    key = _attention(job)
    with connection.cursor() as cursor:
        cursor.execute(ATTENDED, [key >> 32, key & 0xFFFFFFFF])
        return bool(cursor.fetchone())


def _attention(job: Job) -> int:
    """Return the number under which a claim of a job is attended."""
    return 1969 << 48 | (job.pk & 0xFFFFFFFF) << 16 | (job.token & 0xFFFF)


def report(job: Job, progress: int, total: int | None = None) -> None:
    """Store the progress, in the units of `total`. Superseded if the job is no longer this worker's."""
    totals = {} if total is None else {"total": total}
    _hold(job, progress=progress, **totals)


def _hold(job: Job, **changes: int) -> None:
    held = Job.objects.held(job)
    if not held.update(heartbeat_at=Now(), n_silent=0, **changes):
        raise Superseded


@contextmanager
def writing(job: Job) -> Iterator[None]:
    """Open a transaction for what the work writes. Superseded if the job is no longer this worker's; nobody takes it meanwhile."""
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
    """End a running job that cannot be done, and leave what it was about in a final state."""
    if _end(job, Job.State.FAILED, reason) and (give_up := kinds[job.kind].give_up):
        give_up(job)


def _end(job: Job, state: Job.State, outcome: str) -> bool:
    """End the job; return False if it is no longer this worker's, or has ended."""
    ended = Job.objects.held(job).move(state, outcome=outcome, finished_at=timezone.now())
    logger.info("job=%s state=%s is_stored=%s", job.pk, state, bool(ended))
    return bool(ended)


def cancel(kind: JobKind, subject_id: int, reason: str) -> None:
    """End the unfinished job about a subject, whose state the caller changes; its worker stops at its next report."""
    unfinished = Job.objects.unfinished().filter(kind=kind.name, subject_id=subject_id)
    unfinished.move(Job.State.FAILED, outcome=reason, finished_at=timezone.now())


def retry(job: Job) -> bool:
    """Queue a failed job again as if it were new; return False if it has not failed."""
    failed = Job.objects.filter(pk=job.pk, state=Job.State.FAILED)
    is_queued = failed.move(
        Job.State.WAITING, attempts=0, heartbeat_at=Now(), finished_at=None, outcome=""
    )
    if is_queued:
        transaction.on_commit(partial(enqueue, job.pk, job.kind))
    return bool(is_queued)


def requeue_lost() -> int:
    """Queue again the jobs whose worker or message was lost; fail those lost MAX_ATTEMPTS times. Return how many were queued."""
    silent = Job.objects.silent(LOST_AFTER).order_by("pk")
    if not broker.is_empty():  # the message of a waiting job or of a part may be there
        silent = silent.filter(state=Job.State.RUNNING, is_divided=False)
    return sum(_requeued(silent.filter(pk=each.pk), each) for each in silent)


def _requeued(silent: JobQuerySet, job: Job) -> bool:
    """Queue a silent job again if it is lost. What is wrong with one is logged: the others wait."""
    try:
        lost = _lost(silent, job)
        if lost is not None:
            # One that was begun goes on before those that wait.
            enqueue(lost.pk, lost.kind, is_urgent=lost.state == Job.State.RUNNING)
    except Exception as bug:
        if database.is_away(bug):
            raise
        logger.exception("job=%s kind=%s not requeued", job.pk, job.kind)
        return False
    return lost is not None


def _lost(silent: JobQuerySet, job: Job) -> Job | None:
    """Return the job if it has to be queued again."""
    with suppress(NotThere), acting(job.campaign_id):
        # A locked row is being written to, so its worker lives.
        now = silent.select_for_update(no_key=True, skip_locked=True).first()
        return now if now and _is_lost(now) else None
    return None


def _is_lost(job: Job) -> bool:
    """Return whether a silent job has to be queued again. A worker counts as dead when found silent twice: a clock may jump."""
    row = Job.objects.filter(pk=job.pk)
    if job.state == Job.State.WAITING:
        return bool(row.update(heartbeat_at=Now()))
    if _is_attended(job) and not row.silent(SILENT_AT_MOST).exists():
        return False
    if job.n_silent + 1 < SEARCHES:
        row.update(n_silent=job.n_silent + 1)
        return False
    if job.attempts >= MAX_ATTEMPTS:
        fail(
            job, f"The worker was lost {MAX_ATTEMPTS} times while doing this; see the worker's log."
        )
        return False
    changes = {"heartbeat_at": Now(), "token": F("token") + 1, "n_silent": 0}
    logger.warning("job=%s attempt=%s lost", job.pk, job.attempts)
    return bool(row.move(Job.State.WAITING, **changes))


def note_worker_alive() -> None:
    cache.set("worker_alive", timezone.now(), WORKER_SECONDS)


def note_worker_gone() -> None:
    cache.delete("worker_alive")


def is_worker_alive() -> bool:
    return cache.get("worker_alive") is not None
