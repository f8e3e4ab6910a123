"""The one command, as a visitor runs it: start, stop, start again, survive a kill."""

import json
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
from functools import partial
from pathlib import Path

import psutil
import psycopg2
import pytest
from django.core.management import CommandError

from demo.core.retrieval import FAULTY_LINES, FAULTY_TAG, SYSTEMS
from demo.embedded import Embedded
from demo.management.commands.demo import check_port
from demo.servers import MARK, Postgres, Redis
from tests.e2e.processes import ROOT, free_port, kill, wait_until

PATIENCE_SECONDS = 600  # a ceiling for a busy machine; an idle one takes half a minute


class Demo:
    """`manage.py demo` in a folder and a process group of its own, and all that it started."""

    def __init__(self, folder: Path) -> None:
        self.var, self.log, self.port = folder / "var", folder / "demo.log", free_port()
        self.servers = Embedded(self.var)
        self.processes: list[subprocess.Popen] = []

    def start(self, *arguments: str) -> subprocess.Popen:
        variables = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
        variables |= {
            "VAR_DIR": str(self.var),
            "REDIS_DATABASE": "0",
            "EMBEDDED_DURABLE": "true",  # as a visitor has it: what is acknowledged outlives a kill
        }
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
        """Return when this start serves pages; after a kill the old process may still answer."""
        process = self.start()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while "Cleverdon is at" not in self.said() or not self.health():
            assert process.poll() is None, self.said()
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.2)
        return process

    def health(self) -> dict[str, bool]:
        """What the site says of its services; nothing while it does not answer."""
        try:
            with urllib.request.urlopen(f"http://localhost:{self.port}/health/", timeout=5) as page:
                return json.load(page)
        except urllib.error.HTTPError as error:
            return json.load(error)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return {}

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
        kill(self.running())


@pytest.fixture
def demo(tmp_path) -> Iterator[Demo]:
    demo = Demo(tmp_path)
    try:
        yield demo
    finally:
        demo.end()
        assert demo.running() == []


@pytest.mark.deep
def test_the_demo_starts_survives_a_kill_and_stops_clean(demo):
    first = demo.start_and_wait()
    assert "Ranking " in demo.said()
    assert "Sign in as one of these, password cleverdon:" in demo.said()
    check_runs(demo)
    check_kills(demo)
    first.kill()
    first.wait()
    assert demo.running() != []

    second = demo.start_and_wait()
    assert "Ranking " not in demo.said()  # nothing is filled twice
    second.send_signal(signal.SIGINT)
    assert second.wait(PATIENCE_SECONDS) == 0
    assert demo.running() == []


def check_runs(demo: Demo) -> None:
    """Every run is valid but the faulty one, and no two have the same scores."""
    runs = demo.rows("SELECT tag, state, report FROM runs_run")
    assert {(tag, state) for tag, state, _ in runs} == {
        (FAULTY_TAG, "invalid"),
        *((system.tag, "valid") for system in SYSTEMS),
    }
    reports = {tag: report for tag, _, report in runs}
    faults = reports.pop(FAULTY_TAG)["errors"]
    assert sorted(line for fault in faults for line in fault["lines"]) == list(FAULTY_LINES)
    for tag, report in reports.items():
        assert all("share a score" in warning for warning in report["warnings"]), tag
    scores = demo.rows("SELECT aggregates FROM evaluation_score")
    assert len({tuple(aggregates) for (aggregates,) in scores}) == len(SYSTEMS)
    assert all(0.1 < aggregates[0] < 0.9 for (aggregates,) in scores)


def check_kills(demo: Demo) -> None:
    """Redis and PostgreSQL are killed: both come back, and so does the data."""
    count = "SELECT count(*), sum(id) FROM assess_judgmentevent"
    judgments = demo.rows(count)
    before = {each.name: each.process() for each in demo.servers.servers}
    assert len(before) == 2
    for process in before.values():
        process.kill()
    for each in demo.servers.servers:
        is_back = partial(is_another, each, before[each.name])
        wait_until(is_back, f"{each.name} does not come back")
    wait_until(lambda: all(demo.health().values() or [False]), "the site is not whole again")
    assert demo.rows(count) == judgments


def is_another(server: Redis | Postgres, killed: psutil.Process) -> bool:
    return server.process() not in {None, killed}


def test_a_taken_port_gives_one_sentence():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError) as refused:
            check_port(port)
    assert str(refused.value) == (
        f"Port {port} is taken by another program: stop it, or choose another with "
        "`make demo PORT=8001`."
    )
