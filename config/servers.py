"""The least versions of PostgreSQL and Redis: with older ones no process begins."""

from typing import Any, cast

from django.core.cache import cache
from django.db import NotSupportedError, connection

POSTGRESQL, REDIS = (15,), (6, 2)
SENTENCE = "{name} {least} or later is required (found {found})."


def why_too_old() -> str:
    """Return a sentence about a server that is too old, or "": see Versions in docs/deploy.md.

    OperationalError if PostgreSQL is away; a Redis that is away is not asked.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version_num")
            number = int(cursor.fetchone()[0])
    except NotSupportedError as error:  # Django has a least version, too
        return str(error)
    postgresql, redis = divmod(number, 10_000), cast("Any", cache).redis_version()
    if postgresql < POSTGRESQL:
        return _said("PostgreSQL", POSTGRESQL, postgresql)
    return _said("Redis", REDIS, redis) if redis and redis < REDIS else ""


def _said(name: str, least: tuple[int, ...], found: tuple[int, ...]) -> str:
    return SENTENCE.format(name=name, least=_dotted(least), found=_dotted(found))


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
