"""A whole site that can be killed piece by piece, with a Redis of its own."""

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
from django.conf import settings

from tests.e2e import processes
from tests.redis_server import OwnRedis

PYTHON = (sys.executable, "-m")
CELERY = (*PYTHON, "celery", "-q", "-A", "config")


# What is killed: a process alone, one of its children, or all of them.
TARGETS = ("worker all", "worker child", "worker", "web child", "web", "web all", "beat", "redis")
# Only where no other test uses the server. The death of one child makes PostgreSQL end all and
# recover.
POSTGRES = ("postgres child", "postgres all") if settings.IS_EMBEDDED else ()


class Service:
    """A process and its children; `keep` starts it again after its death, as a supervisor does."""

    def __init__(self, name: str, command: tuple[str, ...], var: Path) -> None:
        self.name, self.command, self.var = name, command, var
        self.orphans: list[psutil.Process] = []
        self.lock = threading.Lock()  # as only one of two threads is told how a process ended
        self.start()

    def start(self) -> None:
        with (self.var / f"{self.name}.log").open("ab") as log:
            self.process = psutil.Popen(
                self.command,
                cwd=processes.ROOT,
                env=processes.environment(self.var),
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def keep(self) -> None:
        with self.lock:
            if self.process.poll() is not None:
                self.start()

    def kill(self, dice: random.Random, part: str) -> None:
        with self.lock:
            self.orphans += kill_part(self.process, dice, part)

    def stop(self) -> None:
        processes.kill([self.process, *self.process.children(recursive=True), *self.orphans])


def kill_part(process: psutil.Process, dice: random.Random, part: str) -> list[psutil.Process]:
    """Kill one child, the parent alone, or all of them; return the children."""
    children = process.children(recursive=True)
    killed = {"child": dice.sample(children, 1) if children else [], "": [process]}
    processes.kill(killed.get(part, [*children, process]))
    return children


class Site:
    """The services, and the address of the pages."""

    def __init__(self, var: Path, redis: OwnRedis) -> None:
        self.redis, self.var, port = redis, var, processes.free_port()
        self.url = f"http://localhost:{port}"
        web = (*PYTHON, "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}")
        threads = ("--workers", "2", "--threads", "8", "--log-level", "warning")
        worker = ("worker", "--concurrency", "2", "--loglevel", "WARNING")
        beat = ("beat", "--loglevel", "WARNING", "--pidfile=")
        self.services = {
            "web": Service("web", (*web, *threads), var),
            "worker": Service("worker", (*CELERY, *worker), var),
            "beat": Service("beat", (*CELERY, *beat), var),
        }
        self.is_over = threading.Event()
        self.supervisor = threading.Thread(target=self._supervise)
        self.supervisor.start()

    def wait(self, var: Path) -> None:
        processes.wait_for(self.url + "/sign-in/", var / "web.log")

    def kill(self, target: str, dice: random.Random) -> None:
        """Kill one of TARGETS or POSTGRES; it is started again at once, but Redis by `mend`."""
        name, _, part = target.partition(" ")
        if name == "redis":
            self.redis.kill(signal.SIGKILL)
            return
        if name == "postgres":
            kill_part(settings.EMBEDDED.postgres.process(), dice, part)
            return
        self.services[name].kill(dice, part)

    def mend(self) -> None:
        if not self.redis.answers():
            self.redis.start()

    def _supervise(self) -> None:
        while not self.is_over.wait(0.2):
            for service in self.services.values():
                service.keep()
            if settings.IS_EMBEDDED:
                settings.EMBEDDED.restart(settings.EMBEDDED.postgres)

    def stop(self) -> None:
        self.is_over.set()
        self.supervisor.join()
        for service in self.services.values():
            service.stop()
