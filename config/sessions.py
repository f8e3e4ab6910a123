"""Sessions in the database, read through the cache, which saves a query for every answer.

A copy lives for a minute: after a sign-out while Redis is away it cannot be dropped.
"""

from typing import Any

from django.contrib.sessions.backends import db
from django.core.cache import cache

COPY_SECONDS = 60


def _place(key: str | None) -> str:
    return f"session:{key}"


class SessionStore(db.SessionStore):
    """Django's sessions in the database, with short-lived copies in the cache."""

    def load(self) -> dict[str, Any]:
        place = _place(self.session_key)
        data: dict[str, Any] | None = cache.get(place)
        if data is None:
            data = super().load()
            if data:
                cache.set(place, data, COPY_SECONDS)
        return data

    def save(self, must_create: bool = False) -> None:
        super().save(must_create)
        cache.delete(_place(self.session_key))

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        super().delete(session_key)
        cache.delete(_place(key))
