"""Files in pieces over connections that are cut, to a process that is killed, by others' client."""

import hashlib
import random
import time
from io import BytesIO
from pathlib import Path

import psutil
import pytest
import requests
from django.utils import timezone
from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

from api.models import Upload
from campaigns.models.campaign import Campaign
from jobs.models import Job
from runs import checking
from runs.models import Run
from runs.services import runs
from tests import make
from tests.db.workers import silence
from tests.e2e import processes
from tests.e2e.uploading import Sender, cut, reset, serving
from tests.tokens import made

pytestmark = pytest.mark.django_db(transaction=True)
MB = 1024 * 1024
LINES = "".join(f"1 Q0 d{rank} {rank} {-rank} big\n" for rank in range(1, 150_000))
RUN = LINES.encode()
assert len(RUN) > 3 * MB


@pytest.fixture
def campaign(tmp_path, settings) -> Campaign:
    settings.MEDIA_ROOT = tmp_path / "media"
    return make.campaign(make.user("olga"), participants={"Aldgate": [make.user("pat")]})


@pytest.fixture
def token(campaign) -> str:
    return made(campaign.membership_set.get(role="participant").user, "submit")


@pytest.fixture
def port() -> int:
    return processes.free_port()


@pytest.fixture
def uploads(campaign, port) -> str:
    return f"http://127.0.0.1:{port}/api/v1/campaigns/{campaign.slug}/uploads/"


@pytest.fixture
def web(campaign, port, tmp_path):
    with serving(tmp_path, port) as process:
        yield process


@pytest.fixture
def client(web, uploads, token) -> TusClient:
    return TusClient(uploads, headers={"Authorization": f"Bearer {token}"})


@pytest.fixture
def file() -> BytesIO:
    """The client leaves a file that it opens itself open."""
    return BytesIO(RUN)


def stored(url: str) -> str:
    key = url.rstrip("/").rpartition("/")[2]
    with Upload.objects.get(public_id=key).file.open("rb") as content:
        return hashlib.sha256(content.read()).hexdigest()


HASH = hashlib.sha256(RUN).hexdigest()


@pytest.mark.parametrize(
    "how", [{}, {"chunk_size": MB}, {"chunk_size": MB, "upload_checksum": True}]
)
def test_a_public_client_sends_a_file_which_is_then_a_run(client, file, uploads, token, how):
    uploader = client.uploader(file_stream=file, metadata={"filename": "big.txt"}, **how)
    uploader.upload()
    assert stored(uploader.url) == HASH
    key = uploader.url.rstrip("/").rpartition("/")[2]
    answer = requests.post(
        uploads.replace("uploads", "runs"), json={"upload": key}, headers=client.headers, timeout=60
    )
    assert answer.status_code == 201, answer.text
    run = Run.objects.get()
    with run.file.open("rb") as content:
        assert hashlib.sha256(content.read()).hexdigest() == HASH
    assert (run.tag, run.file_name) == ("big", "big.txt")
    assert not Upload.objects.exists()


def test_a_connection_that_is_cut_three_times_loses_nothing(client, file, uploads, token):
    sender, n_bytes = Sender(uploads, token, RUN), 700_001
    for end in (cut, reset, cut):
        offset = sender.offset()
        end(sender.begin(offset, n_bytes))
        # What a reset takes with it is what was read of it last.
        least = offset + (0 if end is reset else n_bytes)
        processes.wait_until(lambda least=least: sender.offset() >= least, "it is not kept")
    uploader = client.uploader(file_stream=file, url=sender.at, chunk_size=MB)
    assert uploader.offset >= 2 * n_bytes
    uploader.upload()
    assert stored(sender.at) == HASH


def test_of_a_connection_that_falls_silent_is_kept_what_came(web, uploads, token):
    sender = Sender(uploads, token, RUN)
    connection = sender.begin(0, MB + MB // 2)
    processes.wait_until(lambda: sender.offset() >= MB + MB // 2 - 65536, "it is not kept")
    assert b" 400 " in connection.recv(4096)
    connection.close()


def test_of_two_who_send_at_once_the_first_goes_on(web, uploads, token):
    sender = Sender(uploads, token, RUN)
    slow = sender.begin(0, 100)
    assert sender.send().status_code == 204
    slow.sendall(RUN[100:])
    assert b" 409 " in slow.recv(4096)
    slow.close()
    assert stored(sender.at) == HASH


@pytest.mark.slow
def test_what_was_confirmed_outlives_the_process(uploads, token, port, tmp_path):
    dice = random.Random(7)
    with serving(tmp_path, port):
        sender = Sender(uploads, token, RUN)
    confirmed = 0
    for _ in range(2):
        with serving(tmp_path, port) as process:
            assert sender.offset() >= confirmed
            sender.send(dice.randrange(100_000, 300_000))
            confirmed = sender.offset()
            connection = sender.begin(
                confirmed, dice.randrange(MB, 2 * MB) % (len(RUN) - confirmed)
            )
            time.sleep(dice.uniform(0, 0.05))
            processes.kill([process, *process.children(recursive=True)])
            connection.close()
    with serving(tmp_path, port):
        assert sender.offset() >= confirmed
        assert sender.send().status_code == 204
    assert stored(sender.at) == HASH


def test_what_a_public_client_is_refused(client, file, campaign, uploads, token):
    uploader = client.uploader(file_stream=file, chunk_size=MB)
    uploader.upload_chunk()
    uploader.offset = 5
    with pytest.raises(TusUploadFailed) as refused:
        uploader.upload_chunk()
    assert refused.value.status_code == 409
    for other in (made(make.known("olga"), "submit"), made(make.known("pat"), "read")):
        them = TusClient(uploads, headers={"Authorization": f"Bearer {other}"})
        with pytest.raises((TusUploadFailed, TusCommunicationError)) as refused:
            them.uploader(file_stream=file, url=uploader.url).upload_chunk()
        assert refused.value.status_code in {403, 404}
    Upload.objects.update(ends_at=timezone.now())
    with pytest.raises(TusCommunicationError) as refused:
        client.uploader(file_stream=file, url=uploader.url)
    assert refused.value.status_code == 410


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_megabytes", "n_bytes"),
    [(64, 0), (64, 8 * MB), pytest.param(1024, 8 * MB, marks=pytest.mark.deep)],
)
def test_memory_stays_flat_however_long_the_file(web, uploads, token, n_megabytes, n_bytes):
    """In one request, and in as much as a proxy lets through."""
    content = random.Random(1).randbytes(MB) * n_megabytes
    sender = Sender(uploads, token, content[: 8 * MB])
    sender.send()  # all is loaded
    [worker] = web.children()
    before = memory(worker)
    sender = Sender(uploads, token, content)
    while sender.offset() < len(content):
        assert sender.send(n_bytes).status_code == 204
    assert memory(worker) - before < 24 * MB
    assert stored(sender.at) == hashlib.sha256(content).hexdigest()


def memory(worker: psutil.Process) -> int:
    """The most that it has held."""
    lines = Path(f"/proc/{worker.pid}/status").read_text().splitlines()
    [peak] = [line for line in lines if line.startswith("VmHWM")]
    return int(peak.split()[1]) * 1024


@pytest.mark.slow
def test_a_run_whose_worker_was_killed_in_the_middle_is_checked_again_by_its_team(
    campaign, tmp_path
):
    pat = make.known("pat")
    lines = "".join(f"1 Q0 d{rank} {rank} {-rank} big\n" for rank in range(1_500_000))
    campaign.run_depth = 10_000
    campaign.save()
    run = make.submitted(campaign, pat, lines, "big")
    first = Job.objects.get()
    with processes.worker(tmp_path) as worker:
        in_the_middle = Job.objects.filter(pk=first.pk, progress__gt=0, state="running")
        processes.wait_until(in_the_middle.exists, processes.evidence(tmp_path))
        processes.kill([worker, *worker.children(recursive=True)])
    run.refresh_from_db()
    assert run.state == Run.State.CHECKING
    silence(first)
    assert runs.recheck_run(user=pat, run=run).kind == checking.check_run.name
    with processes.worker(tmp_path):
        done = Job.objects.filter(state="done")
        processes.wait_until(done.exists, processes.evidence(tmp_path))
    run.refresh_from_db()
    assert run.is_settled
    first.refresh_from_db()
    assert (first.state, first.outcome) == ("failed", "The check was asked for anew.")
