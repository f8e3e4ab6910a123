"""Two people who act at the same moment, each in a transaction of their own."""

import threading
import time
from collections.abc import Callable

from django.db import connection, transaction

from accounts.access import Refused

WAITS = (
    "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY "
    "(pg_blocking_pids(pid)))"
)
PATIENCE = 20  # seconds


def overtaken(first: Callable[[], object], second: Callable[[], object]) -> object:
    """What comes of the second, a value or a refusal: it begins before the first is stored."""
    came: list[object] = []

    def run() -> None:
        try:
            came.append(second())
        except Refused as refusal:
            came.append(refusal)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    with transaction.atomic():
        first()
        thread.start()
        until_it_waits(thread)
    thread.join()
    [outcome] = came
    return outcome


def until_it_waits(thread: threading.Thread) -> None:
    """Return once it waits for a row that this transaction has locked, or has ended."""
    end = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while thread.is_alive() and time.monotonic() < end:
            cursor.execute(WAITS)
            if cursor.fetchone() == (True,):
                return
            time.sleep(0.01)
