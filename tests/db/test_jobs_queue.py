"""Asking for work while the queue is away."""

import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest
from celery import current_app
from celery.beat import Scheduler

from config import alive
from config.beat import Patient
from config.cache import PatientRedis
from config.celery import app
from jobs import broker, work
from jobs.models import Job
from pooling.tasks import build_batch
from tests.redis_server import OwnRedis, caches_at


@pytest.fixture
def queue(settings):
    """A Redis of the test's own, which the site believes to be the one of its queue."""
    folder = Path(tempfile.mkdtemp(prefix="redis"))  # a socket's path must be short
    server = OwnRedis(folder, folder)
    server.start()
    settings.CACHES = caches_at(server.url())
    yield server
    server.kill()
    PatientRedis.outage.pause_ends = 0.0
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [signal.SIGSTOP, pytest.param(signal.SIGKILL, marks=pytest.mark.deep)]
)
def test_nobody_waits_for_a_queue_that_is_away_and_the_job_stays(
    olga, campaign, queue, how, django_capture_on_commit_callbacks, monkeypatch
):
    sent = []
    task = work.kinds["build_batch"].task
    monkeypatch.setattr(task, "apply_async", sent.append)

    def asked() -> Job:
        with django_capture_on_commit_callbacks(execute=True):
            return work.request(campaign=campaign, kind=build_batch, subject_id=1, user=olga)

    told = asked()
    queue.kill(how)
    begun = time.monotonic()
    untold = asked()
    assert not work.is_worker_alive()
    assert not broker.is_empty()  # nobody knows, so no message counts as lost
    assert time.monotonic() - begun < 4  # the queue itself would be waited for five seconds
    assert sent == [(told.pk,)]
    untold.refresh_from_db()
    assert untold.state == Job.State.WAITING


def test_what_is_urgent_comes_first_and_a_message_of_any_priority_counts():
    app.control.purge()
    assert broker.is_empty()
    task = work.kinds["build_batch"].task
    for number, is_urgent in ((1, False), (2, True), (3, False)):
        assert broker.send(task, number, is_urgent=is_urgent)
        assert not broker.is_empty()
    with app.connection_for_read() as connection, connection.SimpleQueue("celery") as q:
        served = [q.get(block=False).payload[0] for _ in range(3)]
    app.control.purge()
    assert served == [[2], [1], [3]]
    assert broker.send(task, 4, is_urgent=True)
    assert not broker.is_empty()
    app.control.purge()
    assert broker.is_empty()


def test_beat_sends_nothing_that_nobody_would_do(monkeypatch, settings):
    """And each of its messages is left out once the next is due."""
    sent, clock = [], Patient(current_app, lazy=True)
    settings.VAR_DIR.mkdir(exist_ok=True)
    monkeypatch.setattr(Scheduler, "apply_async", lambda _, entry, **__: sent.append(entry))
    work.note_worker_gone()
    clock.apply_async("a task")
    assert sent == []
    assert alive.trouble(settings.VAR_DIR, "beat") == ""  # as beat itself lives
    work.note_worker_alive()
    clock.apply_async("a task")
    assert sent == ["a task"]
    for each in settings.CELERY_BEAT_SCHEDULE.values():
        assert each["options"]["expires"] <= each["schedule"]
