"""The Celery application, and the signs of life of its worker and beat."""

import os
import warnings

from celery import Celery
from celery.signals import (
    after_task_publish,
    beat_init,
    heartbeat_sent,
    worker_init,
    worker_ready,
    worker_shutdown,
)
from django.conf import settings

from config import alive

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# A visitor may try the demo as root; production runs as the image's own user.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")

app = Celery("cleverdon")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def begin(**_: object) -> None:
    """Refuse a database that this version does not fit."""
    from config.tables import why_not_begin  # noqa: PLC0415 - Django's apps are loaded after this

    if why := why_not_begin():
        raise SystemExit(why)


@worker_ready.connect
@heartbeat_sent.connect
def note_alive(**_: object) -> None:
    """Note every two seconds that a worker runs: in a file for probes, in Redis for pages."""
    from jobs import work  # noqa: PLC0415 - Django's apps are loaded after this module

    alive.note(settings.VAR_DIR, "worker")
    work.note_worker_alive()


@worker_shutdown.connect
def note_gone(**_: object) -> None:
    from jobs import work  # noqa: PLC0415 - as above

    alive.forget(settings.VAR_DIR, "worker")
    work.note_worker_gone()


@beat_init.connect
def note_beat(**_: object) -> None:
    """Note that beat has started, and later each task that it sends."""
    alive.note(settings.VAR_DIR, "beat")
    after_task_publish.connect(note_beat)
