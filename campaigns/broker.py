"""The queue in Redis. While it is away nothing is lost: what must happen is a row, and whoever sends finds it undone later."""

import logging
from typing import Any, cast

from celery import Task, current_app
from django.core.cache import cache
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

QUEUE = "celery"
AWAY = (OperationalError, RedisError, OSError)


def answers() -> bool:
    """Return whether Redis answers, within half a second: the cache asks the same server with that patience."""
    return bool(cast("Any", cache).answers())


def send(task: Task[..., None], *arguments: object) -> bool:
    """Queue a task; return False if the queue is away."""
    if not answers():
        return False
    try:
        task.apply_async(arguments)
    except AWAY as error:
        logger.warning("task=%s sent=False error=%s", task.name, type(error).__name__)
        return False
    return True


def is_empty() -> bool:
    """Return whether every message sent has reached a worker or been lost; False while the queue is away."""
    if not answers():
        return False
    try:
        with current_app.connection_for_write() as connection:
            channel: Any = connection.default_channel
            return not channel.client.llen(QUEUE)
    except AWAY:
        return False
