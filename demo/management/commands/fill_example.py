"""Fill the example campaign, unless it is complete, with a worker of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from campaigns.models import Job
from demo import services

PATIENCE_SECONDS = 300
WORKER = "-m celery -A config worker --concurrency 2 --loglevel ERROR"
ADDRESSES = ("DATABASE_URL", "REDIS_URL")


class Command(BaseCommand):
    help = "Fill the example campaign, unless it is complete."

    def handle(self, *_: Any, **__: Any) -> None:
        # Redis alone may be embedded.
        own_database = settings.IS_EMBEDDED and settings.EMBEDDED.database_url
        if own_database != settings.DATABASE_URL:
            raise CommandError(
                "The example's accounts have a password that everybody knows: fill it only into the demo's own database, "
                "with DATABASE_URL unset."
            )
        if services.is_filled():
            return
        services.discard_half_filled()
        with self._worker():
            services.fill(self._say, self._wait)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()

    @contextmanager
    def _worker(self) -> Iterator[None]:
        """Run a Celery worker until the campaign is filled."""
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

    def _wait(self) -> None:
        """Wait until every job is finished; CommandError if one has failed or the time is up."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while Job.objects.unfinished().exists():
            if time.monotonic() > deadline:
                raise CommandError(
                    "The worker did not finish the example's jobs in time."
                )
            time.sleep(0.1)
        failed = Job.objects.filter(state=Job.State.FAILED).first()
        if failed:
            raise CommandError(f"Could not {failed.label}: {failed.outcome}")
