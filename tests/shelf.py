"""A folder that the processes of a run of tests have in common: what one made, the others take."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from django.db import connection

from tests.environment import SHELF


def place_of(key: object) -> Path:
    return SHELF / sha256(repr(key).encode()).hexdigest()


def taken(key: object) -> bytes | None:
    place = place_of(key)
    return place.read_bytes() if place.exists() else None


def put(key: object, content: bytes) -> bytes:
    """Put something there, and return what was first put there."""
    place = place_of(key)
    draft = place.with_suffix(f".{os.getpid()}")
    draft.write_bytes(content)
    try:
        os.link(draft, place)
    except FileExistsError:  # another process was faster
        content = place.read_bytes()
    draft.unlink()
    return content


@contextmanager
def alone() -> Iterator[None]:
    with (SHELF / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def pass_over(table: str, number: int) -> None:
    """Let no row of this process's database have a number that a row made by another has."""
    with connection.cursor() as cursor:
        key = connection.introspection.get_primary_key_column(cursor, table)
        cursor.execute(
            "SELECT setval(name, greatest(nextval(name), %s))"
            " FROM pg_get_serial_sequence(%s, %s) name WHERE name IS NOT NULL",
            [number, table, key],
        )
