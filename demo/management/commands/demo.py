"""Start everything on this machine: web, worker and beat under one supervisor, with the example campaign."""

import contextlib
import json
import os
import signal
import socket
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import psutil
from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand
from honcho.manager import Manager

from demo.people import PASSWORD, SIGN_INS

PROCESSES = {
    "web": "{python} -m gunicorn config.wsgi --bind 127.0.0.1:{port} --threads 8 --no-control-socket --worker-tmp-dir {var} --log-level warning",
    "worker": "{python} -m celery -q -A config worker --concurrency 2 --loglevel WARNING",
    "beat": "{python} -m celery -q -A config beat --loglevel WARNING --pidfile=",
}
MARK = "CLEVERDON_DEMO"  # in the environment of every process of a demo


class Command(BaseCommand):
    help = (
        "Start web, worker and beat with an example campaign; Ctrl-C stops all of them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        port = int(os.environ.get("PORT", "8000"))
        parser.add_argument("--port", type=int, default=port)

    def handle(self, *_: Any, **options: Any) -> None:
        be_the_only_one()
        end_leftovers()
        check_port(options["port"])
        os.environ.update(
            {
                "DATABASE_URL": settings.DATABASE_URL,
                "REDIS_URL": settings.REDIS_URL,
                "DEBUG": str(settings.DEBUG),
                MARK: mark(),
            }
        )
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        self.stdout.write("Preparing the database ...")
        call_command("migrate", verbosity=0)
        call_command("fill_example", stdout=self.stdout)
        self._print_sign_ins(options["port"])
        sys.exit(supervise(options["port"]))

    def _print_sign_ins(self, port: int) -> None:
        address = f"Cleverdon is at http://localhost:{port}/  (Ctrl-C stops it)"
        self.stdout.write(
            f"\n{address}\n\nSign in as one of these, password {PASSWORD}:\n"
        )
        for name, what in SIGN_INS.items():
            self.stdout.write(f"  {name:<8}{what}")
        self.stdout.write("")
        self.stdout.flush()


def be_the_only_one() -> None:
    """Refuse to start beside a running demo. A demo that was killed leaves a record, but its process is gone."""
    record = Path(settings.VAR_DIR) / "demo.pid"
    with contextlib.suppress(FileNotFoundError, psutil.NoSuchProcess):
        pid, started = json.loads(record.read_text(encoding="utf-8"))
        if psutil.Process(pid).create_time() == started:
            raise CommandError(
                "The demo is already running in this folder: stop it first."
            )
    this = psutil.Process()
    record.write_text(json.dumps([this.pid, this.create_time()]), encoding="utf-8")


def mark() -> str:
    return str(Path(settings.VAR_DIR).resolve())


def end_leftovers() -> None:
    """Kill the processes that a killed demo left running; the mark in their environment identifies them."""
    ended = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark() and process.pid != os.getpid():
                process.kill()
                ended.append(process)
    psutil.wait_procs(ended, timeout=10)  # until then they hold the port


def check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CommandError(
                f"Port {port} is taken by another program: stop it, or choose another with `make demo PORT=8001`."
            ) from error


def supervise(port: int) -> int:
    """Run the processes until one ends or Ctrl-C is pressed; then end all of them."""
    manager = Manager()
    for name, command in PROCESSES.items():
        line = command.format(python=sys.executable, port=port, var=settings.VAR_DIR)
        # `exec` replaces the shell, so that the signal reaches the program itself.
        manager.add_process(
            name, f"exec {line}", env={**os.environ, "PYTHONUNBUFFERED": "1"}
        )
    manager.loop()
    return 0 if manager.returncode in {130, 143} else int(manager.returncode or 0)
