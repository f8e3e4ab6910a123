"""A Redis of a test's own, which it may kill, for the queue and the cache of this process."""

import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.test import override_settings
from kombu import pools

from config.cache import PATIENCE_SECONDS, PatientRedis
from config.celery import app
from demo.servers import Redis


class OwnRedis(Redis):
    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        process = self.process()
        if process:
            process.send_signal(number)
            if number == signal.SIGKILL:
                process.wait(20)

    def start(self) -> None:
        super().start()
        PatientRedis.outage.pause_ends = 0.0  # without waiting for the pause to end


@contextmanager
def own_redis() -> Iterator[OwnRedis]:
    folder = Path(tempfile.mkdtemp(prefix="redis"))
    server = OwnRedis(folder, folder)
    server.start()
    queue = server.url().replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")
    try:
        with _celery_at(queue), override_settings(CACHES=caches_at(server.url())):
            yield server
    finally:
        server.kill()
        PatientRedis.outage.pause_ends = 0.0
        shutil.rmtree(folder)


def caches_at(url: str) -> dict:
    """Caches that wait no longer than those of production do."""
    options = dict.fromkeys(("socket_connect_timeout", "socket_timeout"), PATIENCE_SECONDS)
    return {"default": {"BACKEND": "config.cache.Cache", "LOCATION": url, "OPTIONS": options}}


@contextmanager
def _celery_at(url: str) -> Iterator[None]:
    before = app.conf.broker_url
    try:
        _set_queue(url)
        yield
    finally:
        _set_queue(before)


def _set_queue(url: str) -> None:
    app.conf.broker_url = url
    app.set_default()
    pools.reset()  # a pool that is only closed would be found again at its old address
    app._pool = None  # noqa: SLF001 - both are made again at the new address
    app.amqp._producer_pool = None  # noqa: SLF001
