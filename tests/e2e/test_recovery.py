"""A worker that is killed in the middle loses nothing."""

import signal
import time

import psutil
import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from campaigns import jobs, services
from campaigns.models import Document, Job
from tests import make
from tests.e2e import processes

pytestmark = pytest.mark.django_db(transaction=True)
N_DOCUMENTS = 150_000


def wait_for(condition, what: str) -> None:
    deadline = time.monotonic() + processes.PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def test_a_job_whose_worker_was_killed_is_finished_by_another(tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "media"
    olga = make.user("olga")
    campaign = make.campaign(olga, docnos=[])
    lines = "".join(
        f"d{number}\tsome words of a text\n" for number in range(N_DOCUMENTS)
    )
    file = ContentFile(lines.encode(), name="documents.tsv")
    job = services.request_document_import(
        user=olga, campaign=campaign, file=file, is_whole_collection=True
    )
    with processes.worker(tmp_path) as worker:
        wait_for(lambda: Document.objects.count() > 0, "the import did not begin")
        family = [
            *psutil.Process(worker.pid).children(recursive=True),
            psutil.Process(worker.pid),
        ]
        for process in family:
            process.send_signal(signal.SIGKILL)
        psutil.wait_procs(family, timeout=20)
    job.refresh_from_db()
    assert job.state == Job.State.RUNNING
    assert Document.objects.count() < N_DOCUMENTS
    # A minute of silence, without waiting for it.
    Job.objects.filter(pk=job.pk).update(
        heartbeat_at=timezone.now() - jobs.LOST_AFTER * 2
    )
    assert jobs.requeue_lost() == 1
    with processes.worker(tmp_path):
        wait_for(
            lambda: Job.objects.get(pk=job.pk).is_finished, processes.evidence(tmp_path)
        )
    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.DONE, 2)
    assert Document.objects.count() == N_DOCUMENTS
