"""Start web, worker and beat under one supervisor, with the example campaign."""

import contextlib
import json
import os
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil
from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand
from django.db import connections

from demo.management.commands.fill_example import EXAMPLES
from demo.people import LARGE_SIGN_INS, PASSWORD, SIGN_INS
from demo.servers import MARK
from demo.supervisor import GaveUp, Program, Server, keep

GUNICORN = "gunicorn config.wsgi --workers 1 --log-level warning"
PROCESSES = {
    "web": f"{{python}} -m {GUNICORN} --bind 127.0.0.1:{{port}}",
    "worker": "{python} -m celery -q -A config worker --concurrency 2 --loglevel WARNING",
    "beat": "{python} -m celery -q -A config beat --loglevel WARNING --pidfile=",
}


class Command(BaseCommand):
    help = "Start web, worker and beat with an example campaign; Ctrl-C stops all of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        port = int(os.environ.get("PORT", "8000"))
        parser.add_argument("--port", type=int, default=port)
        parser.add_argument("--size", choices=EXAMPLES, default="small")

    def handle(self, *_: Any, **options: Any) -> None:
        be_the_only_one()
        end_leftovers()
        check_port(options["port"])
        urls = {"DATABASE_URL": settings.DATABASE_URL, "REDIS_URL": settings.REDIS_URL}
        os.environ.update({**urls, "DEBUG": str(settings.DEBUG), MARK: mark()})
        self.stdout.write("Preparing the database ...")
        prepare_tables()
        call_command("fill_example", size=options["size"], stdout=self.stdout)
        sign_ins = SIGN_INS if options["size"] == "small" else LARGE_SIGN_INS
        self._print_sign_ins(options["port"], sign_ins)
        supervise(options["port"])

    def _print_sign_ins(self, port: int, sign_ins: Mapping[str, str]) -> None:
        address = f"Cleverdon is at http://localhost:{port}/  (Ctrl-C stops it)"
        self.stdout.write(f"\n{address}\n\nSign in as one of these, password {PASSWORD}:\n")
        for name, what in sign_ins.items():
            self.stdout.write(f"  {name:<8}{what}")
        self.stdout.write("")
        self.stdout.flush()


def be_the_only_one() -> None:
    """Refuse to start beside a running demo; the record of one that was killed does not count."""
    record = Path(settings.VAR_DIR) / "demo.pid"
    with contextlib.suppress(FileNotFoundError, psutil.NoSuchProcess):
        pid, started = json.loads(record.read_text(encoding="utf-8"))
        if psutil.Process(pid).create_time() == started:
            raise CommandError("The demo is already running in this folder: stop it first.")
    this = psutil.Process()
    record.write_text(json.dumps([this.pid, this.create_time()]), encoding="utf-8")


def prepare_tables() -> None:
    """Create the tables of a new database; CommandError if there are tables of other models."""
    sentence = (
        f"The example in {mark()} was made by another version of Cleverdon: "
        "remove that folder, and start again."
    )
    try:
        call_command("migrate", verbosity=0)
    except CommandError as error:
        raise CommandError(sentence) from error


def mark() -> str:
    return str(Path(settings.VAR_DIR).resolve())


def end_leftovers() -> None:
    """Kill what a killed demo left running; the mark in the environment identifies it."""
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
                f"Port {port} is taken by another program: "
                "stop it, or choose another with `make demo PORT=8001`."
            ) from error


def supervise(port: int) -> None:
    """Keep servers and programs running until Ctrl-C is pressed or one of them fails."""
    connections.close_all()  # this process needs the database no more
    os.environ["PYTHONUNBUFFERED"] = "1"
    words = {"python": sys.executable, "port": port}
    programs = [
        Program(name, [word.format(**words) for word in line.split()], settings.BASE_DIR)
        for name, line in PROCESSES.items()
    ]
    servers = [Server(settings.EMBEDDED, each) for each in settings.EMBEDDED.servers]
    try:
        keep(servers, programs)
    except GaveUp as sentence:
        raise CommandError(str(sentence)) from None
