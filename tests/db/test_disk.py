"""A full disk refuses with a sentence, and leaves no half of a file.

The limit on the size of a file is the kernel's, and met in the middle of a write as a full disk is.
"""

import resource
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from campaigns.services import campaign as campaign_services
from collection import tasks
from collection.models.texts import Document
from collection.services import imports
from jobs import storage
from jobs.models import Job
from qrels.models import Qrels
from qrels.services import publishing
from runs import checking
from runs.models import Run
from tests import make

SENTENCE = "The disk of this server is full, so nothing was stored."
RUN = "".join(f"1 Q0 {rank:0200} {rank} {-rank} one\n" for rank in range(1, 900))


@contextmanager
def room(n_bytes: int):
    """Let no file grow beyond this size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture(autouse=True)
def _own_temporary_files(tmp_path, monkeypatch):
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_an_upload_that_does_not_fit_is_refused_and_one_that_fits_is_taken(
    campaign, pat, tmp_path, queued
):
    address = reverse("runs:runs", args=[campaign.slug])
    client = Client(enforce_csrf_checks=True)  # as a browser: the token is read first
    client.force_login(pat)
    client.get(address)
    token = client.cookies["csrftoken"].value

    def upload():
        file = SimpleUploadedFile("one.txt", RUN.encode())
        sent = {"csrfmiddlewaretoken": token, "tag": "one", "file": file}
        return client.post(address, sent)

    with room(100_000):
        answer = upload()
    assert answer.status_code == 507
    assert SENTENCE in answer.content.decode()
    assert not Run.objects.exists()
    assert files(tmp_path) == []
    assert upload().status_code == 302
    assert make.content(Run.objects.get().file) == RUN.encode()


@pytest.mark.parametrize("n_bytes", [0, 70_000])
def test_a_file_that_does_not_fit_into_the_storage_leaves_nothing(
    campaign, pat, tmp_path, queued, n_bytes
):
    with room(n_bytes), pytest.raises(storage.Full, match=SENTENCE):
        make.submitted(campaign, pat, RUN, "one")
    assert not Run.objects.exists()
    assert files(tmp_path) == []


def test_a_check_that_finds_no_room_says_so_and_can_be_tried_again(
    campaign, pat, olga, tmp_path, queued
):
    run = make.submitted(campaign, pat, RUN, "one")
    stored = files(tmp_path)
    job = Job.objects.about("check_run", run.pk)
    with room(1000), pytest.raises(OSError, match="File too large"):
        checking.check_run(job.pk)
    run.refresh_from_db()
    job.refresh_from_db()
    assert (run.state, job.state) == ("unchecked", "failed")
    assert job.outcome.startswith(SENTENCE)
    assert files(tmp_path) == stored
    campaign_services.retry_job(user=olga, job=job)
    checking.check_run(job.pk)
    run.refresh_from_db()
    assert run.state == Run.State.VALID


def test_an_import_that_finds_no_room_says_so(campaign, olga, tmp_path, queued):
    lines = "".join(f"new{number}\tsome words\n" for number in range(5000))
    row = make.uploaded(campaign, "documents", lines.encode())
    imports.confirm_import(user=olga, row=row)
    job = Job.objects.get(kind="write_import")
    n_before = Document.objects.count()
    with room(50_000), pytest.raises(OSError, match="File too large"):
        tasks.write_import(job.pk)
    job.refresh_from_db()
    assert job.outcome.startswith(SENTENCE)
    assert Document.objects.count() == n_before
    row.refresh_from_db()
    assert (row.state, row.outcome) == ("interrupted", job.outcome)


def test_qrels_that_do_not_fit_are_not_published(campaign, pat, ada, olga, sign_in, tmp_path):
    run = make.run(campaign, pat, {"1": "d1 d2"})
    make.frozen_pool(campaign, [run], depth=2)
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 1)
    before = files(tmp_path)
    with room(3):
        answer = sign_in(olga).post(
            reverse("qrels:publish_qrels", args=[campaign.slug]), {"level": 1}
        )
    assert answer.status_code == 507
    assert SENTENCE in answer.content.decode()
    assert not Qrels.objects.exists()
    assert files(tmp_path) == before
    assert publishing.publish_qrels(user=olga, campaign=campaign).number == 1


def test_an_upload_that_comes_has_no_name_that_could_be_left(campaign, pat, tmp_path, rf):
    """Whatever ends the process meanwhile, the system removes the file."""
    request = rf.post("/")
    request.user = pat
    handler = storage.UploadHandler(request)
    handler.new_file("file", "x" * 300 + ".txt", "text/plain", None)
    handler.receive_data_chunk(RUN.encode(), 0)
    assert files(tmp_path) == []
    assert handler.file_complete(len(RUN)).read() == RUN.encode()
    handler.upload_interrupted()
    assert handler.file.closed
