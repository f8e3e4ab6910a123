"""Real web and worker processes on the test's database, queue and files."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psutil
from django.conf import settings
from django.db import connection

from jobs.models import Job

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(var: Path) -> dict[str, str]:
    """The address of this test's database and queue, and its folder."""
    database = connection.settings_dict
    host = quote(database["HOST"] or "", safe="")
    port = f":{database['PORT']}" if database["PORT"] else ""
    password = f":{database['PASSWORD']}" if database["PASSWORD"] else ""
    url = f"postgres://{database['USER']}{password}@{host}{port}/{database['NAME']}"
    if database["OPTIONS"].get("host"):
        url += f"?host={database['OPTIONS']['host']}"
    return {
        **os.environ,
        "DATABASE_URL": url,
        "REDIS_URL": settings.REDIS_URL,
        "DEBUG": "true",
        "VAR_DIR": str(var),
        "LOG_LEVEL": "WARNING",
        "TMPDIR": str(var),  # they are killed, and leave what they had there
    }


def kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, 20)


@contextmanager
def process(command: list[str], var: Path, log: Path, **more: str) -> Iterator[psutil.Popen]:
    """Run a process, with `more` variables, and at the end kill it with its children: to stop in
    peace takes seconds.
    """
    with log.open("ab") as output:
        running = psutil.Popen(
            command,
            cwd=ROOT,
            env={**environment(var), **more},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield running
        finally:
            with suppress(psutil.NoSuchProcess):
                kill([running, *running.children(recursive=True)])


@contextmanager
def worker(var: Path) -> Iterator[psutil.Popen]:
    command = [sys.executable, "-m", "celery", "-q", "-A", "config", "worker"]
    with process(
        [*command, "--concurrency", "2", "--loglevel", "WARNING"], var, var / "worker.log"
    ) as it:
        yield it


@contextmanager
def web(var: Path, path: str = "") -> Iterator[str]:
    """Serve the site, below a path of the host if one is given."""
    port = free_port()
    url, log = f"http://localhost:{port}{path}", var / "web.log"
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}"]
    options = ["--workers", "1", "--log-level", "warning"]
    with process([*command, *options], var, log, SITE_URL=url):
        wait_for(url + "/sign-in/", log)
        yield url


def wait_for(url: str, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)


def wait_until(is_so: Callable[[], bool], otherwise: str) -> None:
    """Return as soon as something is so; AssertionError with the sentence if it is not."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.05)


def evidence(var: Path) -> str:
    """What the processes logged and how the jobs stand, for a failure's message."""
    logs = [f"{path.name}:\n{path.read_text()}" for path in var.glob("*.log")]
    jobs = [
        f"{job.kind} {job.subject_id}: {job.state}, attempt {job.attempts}. {job.outcome}"
        for job in Job.objects.order_by("pk")
    ]
    return "\n".join([*jobs, *logs])
