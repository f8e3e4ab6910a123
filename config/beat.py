"""The clock of periodic tasks, which sends none that nobody would do."""

from typing import Any

from celery.beat import Scheduler
from django.conf import settings

from config import alive


class Patient(Scheduler):
    """Sends nothing while no worker is alive: one that is back has only people's work to do."""

    def apply_async(self, entry: Any, *arguments: Any, **options: Any) -> Any:
        from jobs import work  # noqa: PLC0415 - Django's apps are loaded after this module

        if work.is_worker_alive():
            return super().apply_async(entry, *arguments, **options)
        alive.note(settings.VAR_DIR, "beat")  # as when it sends
        return None
