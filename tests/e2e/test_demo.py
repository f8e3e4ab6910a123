"""The one command, as a visitor runs it: start, stop, start again, survive a kill."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from demo.management.commands.demo import MARK
from tests.e2e.processes import ROOT, free_port

PATIENCE_SECONDS = 180


def start(var: Path, port: int) -> subprocess.Popen:
    variables = {
        name: value for name, value in os.environ.items() if not name.endswith("_URL")
    }
    variables |= {"VAR_DIR": str(var), "REDIS_DATABASE": "0"}
    with log_of(var).open("wb") as log:
        command = [sys.executable, "manage.py", "demo", "--port", str(port)]
        return subprocess.Popen(
            command, cwd=ROOT, env=variables, stdout=log, stderr=subprocess.STDOUT
        )


def log_of(var: Path) -> Path:
    return var.parent / "demo.log"


def wait_until_it_answers(demo: subprocess.Popen, port: int, var: Path) -> None:
    """Wait for the processes of this start; after a kill the old web process may still answer."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while "worker started" not in log_of(var).read_text() or not answers(port):
        assert demo.poll() is None, log_of(var).read_text()
        assert time.monotonic() < deadline, log_of(var).read_text()
        time.sleep(0.2)


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(
            f"http://localhost:{port}/sign-in/", timeout=5
        ) as page:
            return b"Sign in" in page.read()
    except (urllib.error.URLError, ConnectionError):
        return False


def left_over(var: Path) -> list[str]:
    """Processes of this demo that still run, its servers included."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            words = " ".join(process.cmdline())
            if process.environ().get(MARK) == str(var) or str(var) in words:
                found.append(words)
    return found


def interrupted(demo: subprocess.Popen) -> int:
    demo.send_signal(signal.SIGINT)
    return demo.wait(60)


@pytest.mark.browser
def test_the_demo_starts_stops_clean_and_survives_a_kill(tmp_path):
    var, port = tmp_path / "var", free_port()
    began = time.monotonic()
    demo = start(var, port)
    try:
        wait_until_it_answers(demo, port, var)
        first = time.monotonic() - began
        assert interrupted(demo) == 0
        assert left_over(var) == []

        began = time.monotonic()
        demo = start(var, port)
        wait_until_it_answers(demo, port, var)
        assert time.monotonic() - began < first / 2  # nothing is filled twice
        demo.kill()
        demo.wait(60)
        assert left_over(var) != []

        demo = start(var, port)
        wait_until_it_answers(demo, port, var)
        assert interrupted(demo) == 0
        assert left_over(var) == []
    finally:
        with suppress(subprocess.TimeoutExpired):
            interrupted(demo)
        log = log_of(var).read_text()
    assert "Sign in as one of these, password cleverdon:" in log


def test_a_taken_port_gives_one_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        demo = start(tmp_path / "var", port)
        assert demo.wait(60) == 1
    said = (tmp_path / "demo.log").read_text().splitlines()
    assert said == [
        f"CommandError: Port {port} is taken by another program: stop that, or choose another with `make demo PORT=8001`."
    ]
