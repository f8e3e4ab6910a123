"""The one command, as a visitor runs it: start, stop, start again, survive a kill."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg2
import pytest

from demo.core.retrieval import FAULTY_LINES, FAULTY_TAG, SYSTEMS
from demo.embedded import Embedded
from demo.management.commands.demo import MARK
from tests.e2e.processes import ROOT, free_port

PATIENCE_SECONDS = 600  # a ceiling for a busy machine; an idle one takes half a minute


class Demo:
    """`manage.py demo` in a folder and a process group of its own, and everything that it started."""

    def __init__(self, folder: Path) -> None:
        self.var, self.log, self.port = folder / "var", folder / "demo.log", free_port()
        self.servers = Embedded(self.var)
        self.processes: list[subprocess.Popen] = []

    def start(self, *arguments: str) -> subprocess.Popen:
        variables = {
            name: value
            for name, value in os.environ.items()
            if not name.endswith("_URL")
        }
        variables |= {"VAR_DIR": str(self.var), "REDIS_DATABASE": "0"}
        command = [sys.executable, "manage.py", "demo", "--port", str(self.port)]
        with self.log.open("wb") as log:
            process = subprocess.Popen(
                [*command, *arguments],
                cwd=ROOT,
                env=variables,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def start_and_wait(self) -> subprocess.Popen:
        """Return when this start serves pages; after a kill the old web process may still answer."""
        process = self.start()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while "worker started" not in self.said() or not self.answers():
            assert process.poll() is None, self.said()
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.2)
        return process

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(
                f"http://localhost:{self.port}/sign-in/", timeout=5
            ) as page:
                return b"Sign in" in page.read()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def said(self) -> str:
        return self.log.read_text()

    def rows(self, sql: str) -> list[tuple]:
        connection = psycopg2.connect(self.servers.database_url)
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql)
                return cursor.fetchall()
        finally:
            connection.close()

    def running(self) -> list[psutil.Process]:
        """What still runs of this demo, PostgreSQL and Redis included."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                words = " ".join(process.cmdline())
                is_marked = process.environ().get(MARK) == str(self.var)
                if is_marked or str(self.var) in words or self.servers.name in words:
                    found.append(process)
        return found

    def end(self) -> None:
        """Kill everything, whatever happened before, and wait until all of it is gone."""
        for process in self.processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.servers.discard()
        rest = self.running()
        for process in rest:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(rest)


@pytest.fixture
def demo(tmp_path) -> Iterator[Demo]:
    demo = Demo(tmp_path)
    try:
        yield demo
    finally:
        demo.end()
        assert demo.running() == []


def interrupted(process: subprocess.Popen) -> int:
    process.send_signal(signal.SIGINT)
    return process.wait(PATIENCE_SECONDS)


def test_the_demo_starts_stops_clean_and_survives_a_kill(demo):
    first = demo.start_and_wait()
    assert "Ranking " in demo.said()
    assert "Sign in as one of these, password cleverdon:" in demo.said()
    check_runs(demo)
    assert interrupted(first) == 0
    assert demo.running() == []

    second = demo.start_and_wait()
    assert "Ranking " not in demo.said()  # nothing is filled twice
    second.kill()
    second.wait()
    assert demo.running() != []

    third = demo.start_and_wait()
    assert interrupted(third) == 0
    assert demo.running() == []


def check_runs(demo: Demo) -> None:
    """Every run is valid but the faulty one, and no two have the same scores."""
    runs = demo.rows("SELECT tag, state, report FROM campaigns_run")
    assert {(tag, state) for tag, state, _ in runs} == {
        (FAULTY_TAG, "invalid"),
        *((system.tag, "valid") for system in SYSTEMS),
    }
    reports = {tag: report for tag, _, report in runs}
    faults = reports.pop(FAULTY_TAG)["errors"]
    assert [fault["line"] for fault in faults] == list(FAULTY_LINES)
    for tag, report in reports.items():
        assert all("share a score" in warning for warning in report["warnings"]), tag
    scores = demo.rows("SELECT aggregates FROM evaluation_score")
    assert len({tuple(aggregates) for (aggregates,) in scores}) == len(SYSTEMS)
    assert all(0.1 < aggregates[0] < 0.9 for (aggregates,) in scores)


def test_a_taken_port_gives_one_sentence(demo):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", demo.port))
        taken.listen()
        assert demo.start().wait(PATIENCE_SECONDS) == 1
    assert demo.said().splitlines() == [
        f"CommandError: Port {demo.port} is taken by another program: stop it, or choose another with `make demo PORT=8001`."
    ]
