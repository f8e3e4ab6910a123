"""Fill the example campaign, unless it is complete, with a worker of its own."""

import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from demo import large, services
from demo.steps import discard_half_filled, is_filled, stretch
from jobs.models import Job

PATIENCE_SECONDS = {"small": 300, "large": 1800}
EXAMPLES = {"small": services, "large": large}
WORKER = "-m celery -A config worker --concurrency 2 --loglevel ERROR"
ADDRESSES = ("DATABASE_URL", "REDIS_URL")


class Command(BaseCommand):
    help = "Fill the example campaign, unless it is complete."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--size", choices=EXAMPLES, default="small")

    def handle(self, *_: Any, **options: Any) -> None:
        # Redis alone may be embedded.
        own_database = settings.IS_EMBEDDED and settings.EMBEDDED.database_url
        if own_database != settings.DATABASE_URL:
            raise CommandError(
                "The example's accounts have a password that everybody knows: "
                "fill it only into the demo's own database, with DATABASE_URL unset."
            )
        size = options["size"]
        example = EXAMPLES[size]
        if is_filled(example.NAME):
            return
        discard_half_filled(example.NAME)
        with self._worker():
            wait = partial(self._wait, PATIENCE_SECONDS[size])
            stretch(example.fill(self._say, wait))

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()

    @contextmanager
    def _worker(self) -> Iterator[None]:
        addresses = {name: getattr(settings, name) for name in ADDRESSES}
        worker = subprocess.Popen(  # noqa: S603 - our own command line
            [sys.executable, *WORKER.split()],
            env={**os.environ, **addresses, "DEBUG": str(settings.DEBUG)},
            stdout=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            worker.terminate()
            worker.wait(30)

    def _wait(self, seconds: float) -> None:
        """Wait until every job is finished; CommandError if one has failed or the time is up."""
        deadline = time.monotonic() + seconds
        while Job.objects.unfinished().exists():
            if time.monotonic() > deadline:
                raise CommandError("The worker did not finish the example's jobs in time.")
            time.sleep(0.1)
        if failed := Job.objects.filter(state=Job.State.FAILED).first():
            raise CommandError(f"Could not {failed.label}: {failed.outcome}")
