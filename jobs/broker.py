"""The queue in Redis. While it is away nothing is lost: every job is a row."""

import logging
from typing import Any, cast

from celery import Task, current_app
from django.core.cache import cache
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

QUEUE = "celery"
FIRST = 0  # the priority that Redis serves first; see CELERY_TASK_DEFAULT_PRIORITY
AWAY = (OperationalError, RedisError, OSError)


def answers() -> bool:
    """Return whether Redis answers within half a second, the patience of the cache."""
    return bool(cast("Any", cache).answers())


def send(
    task: Task[..., None], *arguments: object, is_urgent: bool = False, seconds: float | None = None
) -> bool:
    """Queue a task, before all others if it is urgent; return False if the queue is away.

    A worker that comes to it only after so many `seconds` leaves it out.
    """
    if not answers():
        return False
    options: dict[str, Any] = {"priority": FIRST} if is_urgent else {}
    options |= {"expires": seconds} if seconds else {}
    try:
        task.apply_async(arguments, **options)
    except AWAY as error:
        logger.warning("task=%s sent=False error=%s", task.name, type(error).__name__)
        return False
    return True


def is_empty() -> bool:
    """Return whether no message waits for a worker; False while the queue is away."""
    if not answers():
        return False
    try:
        with current_app.connection_for_write() as connection:
            channel: Any = connection.channel()  # it gives up after two seconds
            return not channel._size(QUEUE)  # noqa: SLF001 - one list for each priority
    except AWAY:
        return False
