"""Keep programs and servers running, and start again what ends, until a signal comes."""

import math
import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from demo.embedded import Embedded
from demo.servers import CannotStart, Postgres, Redis

LOOK_SECONDS = 0.2
INSTANT_SECONDS = 5  # a program that ends sooner has failed to start
MAX_INSTANT = 5
PAUSE_SECONDS = 0.5  # before the second attempt; 1 before the third, and so on
STOP_SECONDS = 10
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class GaveUp(RuntimeError):
    """Raised with one sentence about the program that cannot be kept running."""


class Supervised(Protocol):
    name: str

    def is_running(self) -> bool: ...

    def start(self) -> None:
        """Start it; CannotStart if that does not work."""


class Server:
    """One of the embedded servers, which other processes may use too."""

    def __init__(self, embedded: Embedded, server: Redis | Postgres) -> None:
        self.name, self.embedded, self.server = server.name, embedded, server

    def is_running(self) -> bool:
        return self.server.is_running()

    def start(self) -> None:
        self.embedded.restart(self.server)


class Program:
    """A command line in a process group of its own: Ctrl-C reaches the supervisor alone."""

    def __init__(self, name: str, command: Sequence[str], folder: Path) -> None:
        self.name, self.command, self.folder = name, command, folder
        self.process: subprocess.Popen[bytes] | None = None

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        self.kill()  # the children of a killed process may live on and hold its port
        self.process = subprocess.Popen(  # noqa: S603 - our own command line
            self.command, cwd=self.folder, start_new_session=True
        )

    def ask_to_stop(self) -> None:
        if self.process:
            self.process.terminate()

    def kill(self) -> None:
        if self.process:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self, deadline: float) -> None:
        """Wait for the end until `deadline`, by `time.monotonic`; then kill it and its children."""
        if self.process:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(max(0, deadline - time.monotonic()))
        self.kill()


class Keeper:
    """Starts one program whenever it is down, and gives up if it ends at once each time."""

    def __init__(self, kept: Supervised) -> None:
        self.kept = kept
        self.started_at: float | None = None
        self.n_instant = 0
        self.pause_ends = 0.0

    def look(self) -> None:
        """Start it if it is down and not paused; GaveUp after MAX_INSTANT failed starts."""
        now = time.monotonic()
        if self.kept.is_running():
            self.started_at = self.started_at or -math.inf  # another process has started it
            return
        if now < self.pause_ends:
            return
        if self.started_at is not None:
            self._count_end(now - self.started_at)
        self.started_at = now
        self.pause_ends = now + self.n_instant * PAUSE_SECONDS
        try:
            self.kept.start()
        except CannotStart as reason:
            say(str(reason))

    def _count_end(self, seconds: float) -> None:
        name = self.kept.name
        self.n_instant = self.n_instant + 1 if seconds < INSTANT_SECONDS else 0
        if self.n_instant == MAX_INSTANT:
            raise GaveUp(
                f"{name} ended {MAX_INSTANT} times within {INSTANT_SECONDS} seconds of its start; "
                "the lines above say why."
            )
        say(f"{name} ended and is started again.")


def say(sentence: str) -> None:
    print(sentence, flush=True)  # noqa: T201 - to the terminal


def keep(servers: Sequence[Supervised], programs: Sequence[Program]) -> None:
    """Keep everything running until a signal comes, then stop the programs; GaveUp if one fails.

    Servers start first, because programs use them; the last process that uses them stops them.
    """
    is_over = threading.Event()
    for number in SIGNALS:
        signal.signal(number, lambda *_: is_over.set())
    keepers = [Keeper(kept) for kept in (*servers, *programs)]
    try:
        while not is_over.is_set():
            for keeper in keepers:
                keeper.look()
            is_over.wait(LOOK_SECONDS)
    finally:
        for program in programs:
            program.ask_to_stop()
        deadline = time.monotonic() + STOP_SECONDS
        for program in programs:
            program.stop(deadline)
