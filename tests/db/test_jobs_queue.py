"""Asking for work while the queue is away."""

import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest

from campaigns import broker, jobs
from campaigns.models import Job
from config.cache import PatientRedis
from pooling.tasks import build_pool
from tests.redis_server import OwnRedis


@pytest.fixture
def queue(settings):
    """A Redis of the test's own, which the site believes to be the one of its queue."""
    folder = Path(tempfile.mkdtemp(prefix="redis"))  # a socket's path must be short
    server = OwnRedis(folder, folder)
    server.start()
    settings.CACHES = {
        "default": {"BACKEND": "config.cache.Cache", "LOCATION": server.url()}
    }
    yield server
    server.kill()
    PatientRedis.outage.pause_ends = 0.0
    shutil.rmtree(folder)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_nobody_waits_for_a_queue_that_is_away_and_the_job_stays(
    olga, campaign, queue, how, django_capture_on_commit_callbacks, monkeypatch
):
    sent = []
    task = jobs.kind_tasks["build_pool"]
    monkeypatch.setattr(task, "apply_async", sent.append)

    def asked() -> Job:
        with django_capture_on_commit_callbacks(execute=True):
            return jobs.request(
                campaign=campaign, kind=build_pool, subject_id=1, user=olga
            )

    told = asked()
    queue.kill(how)
    begun = time.monotonic()
    untold = asked()
    assert not jobs.is_worker_alive()
    assert not broker.is_empty()  # nobody knows, so no message counts as lost
    assert time.monotonic() - begun < 1
    assert sent == [(told.pk,)]
    untold.refresh_from_db()
    assert untold.state == Job.State.WAITING
