"""The example campaign, served from a folder of its own."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demo.embedded import Embedded

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 1200


@contextmanager
def example(size: str = "small") -> Iterator[tuple[str, Embedded]]:
    """Run the demo; yield its address and its servers, whose files are gone afterwards."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tempfile.mkdtemp(prefix="cleverdon-example-")
    command = [sys.executable, "manage.py", "demo", "--size", size, "--port", str(port)]
    running = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "VAR_DIR": folder})  # noqa: S603 - our own command line
    servers = Embedded(Path(folder))
    try:
        _wait_for(f"http://localhost:{port}/sign-in/")
        yield f"http://localhost:{port}", servers
    finally:
        running.terminate()
        running.wait(60)
        servers.discard()


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - this machine
                return
        except OSError:
            if time.monotonic() > deadline:
                sys.exit("The demo did not start.")
            time.sleep(0.5)
