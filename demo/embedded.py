"""Private PostgreSQL and Redis under `var/`, used where no URL names other servers.

Both listen on sockets in a private folder, so they take no port. Any number of processes share
them: each holds a shared lock while it lives, the first starts the servers, and the last one stops
them. The kernel releases the lock of a process that is killed.
"""

import atexit
import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from demo.servers import CannotStart, Postgres, Redis


class Embedded:
    """The two servers that belong to one `var` folder."""

    def __init__(self, var: Path, *, durable: bool = True) -> None:
        self.var = var
        digest = hashlib.sha256(str(var.resolve()).encode()).hexdigest()[:12]
        self.name = f"cleverdon-{os.getuid()}-{digest}"
        # The path of a socket is limited to 107 bytes, which a deep project folder can exceed.
        self.sockets = Path(tempfile.gettempdir()) / self.name
        self.redis = Redis(var, self.sockets)
        self.postgres = Postgres(var, self.sockets, durable=durable)

    @property
    def servers(self) -> tuple[Redis, Postgres]:
        return self.redis, self.postgres

    @property
    def database_url(self) -> str:
        return self.postgres.url

    def redis_url(self, database: int = 0) -> str:
        return self.redis.url(database)

    def answers(self) -> bool:
        return self.redis.answers() and self.postgres.answers()

    def hold(self) -> None:
        """Start the servers that are down, and keep both running until this process ends."""
        self._make_var()
        lock = (self.var / "embedded.lock").open("a")
        with self._alone():
            fcntl.flock(lock, fcntl.LOCK_SH)
            self._make_sockets()
            # Before the start: if one server cannot start, the other is stopped.
            atexit.register(self.release, lock, os.getpid())
            for server in self.servers:
                if not server.answers():
                    server.start()
        _exit_by_signals()

    def restart(self, server: Redis | Postgres) -> None:
        with self._alone():
            self._make_sockets()
            if not server.is_running():
                server.start()

    def release(self, lock: IO[str], holder: int) -> None:
        """Release this process's lock; stop the servers if no other process holds one."""
        if os.getpid() != holder:  # a forked child inherits this call
            return
        with self._alone():
            fcntl.flock(lock, fcntl.LOCK_UN)
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.stop()
        lock.close()

    def stop(self) -> None:
        self.postgres.stop()
        self.redis.stop()
        shutil.rmtree(self.sockets, ignore_errors=True)

    def discard(self) -> None:
        """Stop the servers and delete their files, in `var` and outside it."""
        self.stop()
        for folder in (self.var, self.postgres.outside):
            shutil.rmtree(folder, ignore_errors=True)

    def _make_var(self) -> None:
        with _told_if_it_cannot():
            self.var.mkdir(parents=True, exist_ok=True)
            (self.var / "embedded.start").touch()

    def _make_sockets(self) -> None:
        """Make the folder of the sockets, which goes with the last process that holds them."""
        with _told_if_it_cannot():
            self.sockets.mkdir(parents=True, exist_ok=True)
            self.sockets.chmod(0o700)
        owner = self.postgres.user
        if self.sockets.stat().st_uid not in {os.getuid(), owner}:
            raise CannotStart(f"The folder {self.sockets} belongs to another user.")
        if owner != os.getuid():
            os.chown(self.sockets, owner, owner)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one process at a time start or stop servers."""
        with (self.var / "embedded.start").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


@contextlib.contextmanager
def _told_if_it_cannot() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CannotStart(
            f"The folder {error.filename} cannot be written to: {error.strerror}."
        ) from error


def _exit_by_signals() -> None:
    """Have signals run the functions registered with `atexit`, instead of ending at once."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
