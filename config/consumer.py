"""A worker's connection to the queue, and how it returns after Redis was away."""

import logging
from typing import Any

from celery.worker.consumer import Consumer as CelerysConsumer
from celery.worker.state import active_requests, maybe_shutdown, reserved_requests
from kombu import Connection

logger = logging.getLogger(__name__)

RETRY_SECONDS = 1


class Consumer(CelerysConsumer):
    """Celery's, but tries a lost Redis every second: Celery waits up to 30, and ends after an hour.

    Gossip and mingle are off: workers need not know each other, and both fail without Redis.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        options |= {"without_gossip": True, "without_mingle": True}
        super().__init__(*arguments, **options)

    def ensure_connected(self, conn: Connection) -> Connection:
        return conn.ensure_connection(
            self._note_away,
            interval_start=RETRY_SECONDS,
            interval_step=0,
            interval_max=RETRY_SECONDS,
            callback=maybe_shutdown,
        )

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        for request in (*active_requests, *reserved_requests):
            request.acknowledged = True  # over the lost connection
        try:
            super().on_connection_error_after_connected(exc)
        except AttributeError as error:
            # Kombu fails to return the messages in work, and need not: jobs are rows and go on.
            logger.warning("queue=lost error=%s", error)

    def _note_away(self, error: Exception, _: float) -> None:
        logger.warning("queue=away error=%s", error)
