"""Loaded before Django reads its settings: tests have servers of their own, so that a running demo and they never meet."""

import os
from pathlib import Path

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")

os.environ["VAR_DIR"] = str(Path(__file__).resolve().parent.parent / "var" / "test")
os.environ["EMBEDDED_DURABLE"] = "false"
# Each test process has its own queue and cache.
os.environ["REDIS_DATABASE"] = str(int(WORKER.removeprefix("gw")) + 1)
# Playwright keeps an event loop running; Django would refuse the ORM beside it.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
