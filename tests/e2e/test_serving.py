"""The web process as production starts it, with slow and silent clients; signs of life."""

import http.client
import subprocess
import sys
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import MULTIPART_CONTENT, encode_multipart

from config import alive
from runs.models import Run
from tests import make
from tests.deployment import ROOT
from tests.e2e import processes

pytestmark = pytest.mark.django_db(transaction=True)
N_UPLOADS = 6
TOKEN = "t" * 32


@pytest.fixture
def site(tmp_path, settings):
    """The site as `gunicorn config.wsgi` serves it, but with 5 seconds for a silent client."""
    settings.MEDIA_ROOT = tmp_path / "media"
    conf = (ROOT / "gunicorn.conf.py").read_text()
    (tmp_path / "conf.py").write_text(f"{conf}\nSILENCE_SECONDS = 5\n")
    bind = f"127.0.0.1:{processes.free_port()}"
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", bind]
    log = tmp_path / "web.log"
    with processes.process([*command, "-c", str(tmp_path / "conf.py")], tmp_path, log):
        processes.wait_for(f"http://{bind}/sign-in/", log)
        yield f"http://{bind}"


class Upload:
    """A run of 60 kB that a participant sends piece by piece."""

    def __init__(self, site: str, user, tag: str) -> None:
        visitor = Client()
        visitor.force_login(user)
        session = visitor.cookies["sessionid"].value
        lines = "".join(f"k1 Q0 d{rank} {rank} {-rank} {tag}\n" for rank in range(2500))
        file = SimpleUploadedFile(f"{tag}.txt", lines.encode())
        fields = {"csrfmiddlewaretoken": TOKEN, "tag": tag, "file": file}
        self.rest = encode_multipart("BoUnDaRyStRiNg", fields)
        self.connection = http.client.HTTPConnection(urlsplit(site).netloc, timeout=60)
        self.connection.putrequest("POST", "/campaigns/test-campaign/runs/")
        self.connection.putheader("Cookie", f"sessionid={session}; csrftoken={TOKEN}")
        self.connection.putheader("Content-Type", MULTIPART_CONTENT)
        self.connection.putheader("Content-Length", str(len(self.rest)))
        self.connection.endheaders()

    def send(self, n_bytes: int) -> None:
        self.connection.send(self.rest[:n_bytes])
        self.rest = self.rest[n_bytes:]

    def trickle(self, until: threading.Event) -> int:
        """Send 1 kB a second until told otherwise, then the rest; return the status."""
        while not until.wait(0.1):
            self.send(100)
            assert self.rest, "nobody was answered within a minute"
        self.send(len(self.rest))
        with closing(self.connection), self.connection.getresponse() as response:
            return response.status


def test_a_long_query_is_refused_in_words_of_the_site(site):
    asked = http.client.HTTPConnection(urlsplit(site).netloc, timeout=60)
    asked.request("GET", f"/api/v1/campaigns/?q={'x' * 5000}")
    with closing(asked), asked.getresponse() as answer:
        assert (answer.status, answer.headers["Content-Type"]) == (401, "application/problem+json")


@pytest.mark.deep
def test_slow_uploads_hold_nobody_up_and_silent_ones_are_given_up(site):
    pat = make.user("pat")
    make.campaign(make.user("olga"), participants={"Aldgate": [pat]})
    silent = Upload(site, pat, "silent")
    silent.send(1000)
    answered = threading.Event()
    with ThreadPoolExecutor(N_UPLOADS) as pool:
        uploads = [Upload(site, pat, f"slow-{n}") for n in range(N_UPLOADS)]
        statuses = [pool.submit(upload.trickle, answered) for upload in uploads]
        try:
            for _ in range(10):
                assert status_of(site) == 200
            assert alive.main("web", str(urlsplit(site).port)) == ""
            assert not any(status.done() for status in statuses)
        finally:
            answered.set()
        assert [status.result() for status in statuses] == [302] * N_UPLOADS
    assert Run.objects.count() == N_UPLOADS
    with silent.connection.sock as connection:
        connection.settimeout(30)
        while connection.recv(4096):  # until the site ends it
            pass


@pytest.mark.parametrize(("n_bytes", "ends"), [(200, "keep-alive"), (400_000, "close")])
def test_a_connection_ends_with_a_refusal_of_what_was_not_read(site, n_bytes, ends):
    make.campaign(make.user("olga"))
    with closing(http.client.HTTPConnection(urlsplit(site).netloc, timeout=20)) as connection:
        at = "/api/v1/campaigns/test-campaign/runs/"
        connection.request("POST", at, b"x" * n_bytes, {"Content-Type": "application/json"})
        refused = connection.getresponse()
        assert (refused.status, refused.headers["Connection"]) == (401, ends)
        assert b"No access token" in refused.read()
        connection.request("GET", at)  # on a new connection where that has ended
        assert connection.getresponse().status == 401


def status_of(site: str) -> int:
    with urllib.request.urlopen(f"{site}/sign-in/", timeout=20) as response:
        return response.status


def test_a_web_process_that_does_not_answer_is_missed():
    free = processes.free_port()
    assert f"does not answer on port {free}: " in alive.main("web", str(free))


def test_a_process_is_asked_how_it_is_without_django_or_celery(tmp_path):
    def ask() -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-I", "-X", "importtime", "config/alive.py", "worker"],
            cwd=ROOT,
            env={"VAR_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )

    asked = ask()
    assert asked.returncode == 1
    assert "has not started on this machine" in asked.stderr
    assert not {"django", "celery"} & set(asked.stderr.split())
    alive.note(tmp_path, "worker")
    assert ask().returncode == 0
