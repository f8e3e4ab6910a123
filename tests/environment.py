"""Loaded before Django reads its settings: a run of tests has servers of its own."""

import atexit
import fcntl
import os
import signal
from pathlib import Path

FOLDERS = Path(__file__).resolve().parent.parent / "var" / "test"


def free_folder(number: int = 1) -> Path:
    """Return the first folder that no other run of tests holds, and hold it to the end."""
    folder = FOLDERS / str(number)
    folder.mkdir(parents=True, exist_ok=True)
    lock = (folder / "run.lock").open("a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return free_folder(number + 1)
    atexit.register(lock.close)  # and so hold it until then
    return folder


WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
if not WORKER:  # a worker inherits the folder of the process that started it
    os.environ["VAR_DIR"] = str(free_folder())
os.environ.setdefault("EMBEDDED_DURABLE", "false")
# Each test process has its own queue and cache.
os.environ["REDIS_DATABASE"] = str(int(WORKER.removeprefix("gw") or 0) + 1)
os.environ.setdefault("DEBUG", "true")  # even if DATABASE_URL names a server
# Playwright keeps an event loop running; Django would refuse the ORM beside it.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
# Ended from outside, a run of tests ends as by Ctrl-C and takes its servers with it.
for _number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(_number, signal.default_int_handler)
