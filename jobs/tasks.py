"""The search for lost jobs, which beat asks for every three seconds."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from importlib import import_module

from celery import shared_task
from django.apps import apps
from django.conf import settings
from django.core.files.storage import Storage, default_storage
from django.db.models import F, FileField
from django.db.models.functions import Now
from django.utils import timezone

from accounts.access import NotThere
from jobs import broker, database, work
from jobs.acting import acting
from jobs.models import Job, JobQuerySet

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
# A job whose worker died is queued again after LOST_AFTER and this many searches.
LOST_AFTER = timedelta(seconds=8)
SEARCHES = 2
# A silent worker that is still connected gets longer: a step may keep all of its threads busy.
SILENT_AT_MOST = timedelta(minutes=10)
# A file that no row names is deleted once it is so old: by then, no row that would name it comes.
LEFT_BEHIND_AFTER = timedelta(days=2)
WORKER_LOST = f"The worker was lost {MAX_ATTEMPTS} times while doing this; see the worker's log."


@shared_task
def requeue_lost_jobs() -> int:
    """Queue jobs again whose worker or message was lost; fail those lost MAX_ATTEMPTS times.

    Return how many were queued.
    """
    silent = Job.objects.silent(LOST_AFTER).order_by("pk")
    if not broker.is_empty():  # the message of a waiting job or of a part may be there
        silent = silent.filter(state=Job.State.RUNNING, is_divided=False)
    return sum(_requeued(silent.filter(pk=each.pk), each) for each in silent)


@shared_task
def clear_sessions() -> None:
    """Delete the sessions that have ended by themselves; those of who signs out go at once."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()


def _requeued(silent: JobQuerySet, job: Job) -> bool:
    """Queue a silent job again if it is lost. An error is logged, so that the others go on."""
    try:
        lost = _lost(silent, job)
        if lost is not None:
            # A job that was running goes before those that wait.
            work.enqueue(lost.pk, lost.kind, is_urgent=lost.state == Job.State.RUNNING)
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
    """Move a lost job back to waiting. A worker is dead if silent twice: a clock may jump."""
    row = Job.objects.filter(pk=job.pk)
    if job.state == Job.State.WAITING:
        return bool(row.update(heartbeat_at=Now()))
    if database.is_attended(work.attention(job)) and not row.silent(SILENT_AT_MOST).exists():
        return False
    if job.n_silent + 1 < SEARCHES:
        row.update(n_silent=job.n_silent + 1)
        return False
    if job.attempts >= MAX_ATTEMPTS:
        work.fail(job, WORKER_LOST)
        return False
    changes = {"heartbeat_at": Now(), "token": F("token") + 1, "n_silent": 0}
    logger.warning("job=%s attempt=%s lost", job.pk, job.attempts)
    return bool(row.move(Job.State.WAITING, **changes))


@shared_task
def sweep_files() -> int:
    """Delete old files that no row names, which a process that was killed left; return how many.

    None is deleted where most files have no row: then the database is another one than theirs.
    """
    latest = timezone.now() - LEFT_BEHIND_AFTER
    names = list(_files_in(default_storage))
    orphans = {each for each in names if _is_older(each, latest)}
    orphans -= _named()  # read after the files: one stored meanwhile is too young
    if len(orphans) > len(names) - len(orphans):
        logger.error("files=%s without_row=%s swept=False", len(names), len(orphans))
        return 0
    for each in orphans:
        default_storage.delete(each)
        logger.warning("file=%s without_row=True deleted=True", each)
    return len(orphans)


def _is_older(name: str, moment: datetime) -> bool:
    try:
        return default_storage.get_modified_time(name) < moment
    except FileNotFoundError:  # it has just been deleted
        return False


def _files_in(storage: Storage, folder: str = "") -> Iterator[str]:
    """Return the name of each file in a folder, and in those within."""
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:  # nothing was ever stored, or it has just been deleted
        return
    start = f"{folder}/" if folder else ""
    yield from (start + each for each in files)
    for each in folders:
        yield from _files_in(storage, start + each)


def _named() -> set[str]:
    """Return the names of all files that a row refers to."""
    found = set[str]()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, FileField):
                found |= set(model._base_manager.values_list(field.name, flat=True))
    return found
