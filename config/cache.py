"""The cache, only for hints: while Redis is away it is empty, and no page fails or waits."""

import logging
import re
import time
from typing import Any

import redis
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 0.5
PAUSE_SECONDS = 2  # without Redis after a failure, so that a page waits at most once
LOG_SECONDS = 60
OPTIONS = {
    "socket_connect_timeout": PATIENCE_SECONDS,
    "socket_timeout": PATIENCE_SECONDS,
    # Redis may have restarted since the connection was made; a slow answer is not retried.
    "retry": Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
}


class Outage:
    """When this process asks Redis again, and logs again, in `time.monotonic`."""

    def __init__(self) -> None:
        self.pause_ends = self.log_due = 0.0

    @property
    def is_paused(self) -> bool:
        return time.monotonic() < self.pause_ends

    def note(self, error: redis.RedisError) -> None:
        now = time.monotonic()
        self.pause_ends = now + PAUSE_SECONDS
        if now >= self.log_due:
            self.log_due = now + LOG_SECONDS
            logger.warning("redis=away error=%r", str(error))


class PatientRedis(redis.Redis):
    """A client to which a Redis that is away looks like an empty one."""

    outage = Outage()

    def execute_command(self, *words: Any, **options: Any) -> Any:
        if not self.outage.is_paused:
            try:
                return super().execute_command(*words, **options)  # type: ignore[no-untyped-call]
            except redis.RedisError as error:
                self.outage.note(error)
        return [] if words[0] == "MGET" else None


class Client(RedisCacheClient):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._client = PatientRedis
        self._made: dict[bool, redis.Redis] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> redis.Redis:
        """Return one client for all commands; making one for each takes longer than Redis."""
        if write not in self._made:
            self._made[write] = super().get_client(key, write=write)
        return self._made[write]


class Cache(RedisCache):
    """Django's cache in Redis, where an error counts as a miss."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {**OPTIONS, **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})
        self._class = Client

    def answers(self) -> bool:
        """Return whether Redis answers; False without asking for PAUSE_SECONDS after a failure."""
        return bool(self._cache.get_client().ping())

    def redis_version(self) -> tuple[int, ...]:
        """Return the version of Redis, () while it is away."""
        told = self._cache.get_client().info("server") or {}
        return tuple(map(int, re.findall(r"\d+", told.get("redis_version", ""))[:2]))
