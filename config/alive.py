"""Check a process of this machine: `python -I config/alive.py worker` (beat, web) exits 0 or 1.

Worker and beat leave a sign of life in a file under VAR_DIR, so that the check needs neither Redis
nor PostgreSQL. It runs every few seconds, so it imports neither Django nor Celery.
"""

import contextlib
import http.client
import os
import platform
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

# A connected worker leaves a sign every 2 seconds; beat with every task that it sends.
SILENCE_SECONDS = {"worker": 30, "beat": 60}
ANSWER_SECONDS, USUAL_PORT = 4, 8000


def note(var: Path, name: str) -> None:
    """Leave a sign that this machine's worker or beat is alive, by the monotonic clock."""
    path = _path(var, name)
    new = path.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):  # without a disk it counts as silent
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(str(time.monotonic()), encoding="ascii")
        new.replace(path)


def note_port(var: Path, port: int) -> None:
    """Leave the port on which this machine's web process listens."""
    path = _path(var, "port")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(port), encoding="ascii")


def port_of(var: Path) -> int:
    """Return the port that the web process left, or else the usual one."""
    try:
        return int(_path(var, "port").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return USUAL_PORT


def forget(var: Path, name: str) -> None:
    _path(var, name).unlink(missing_ok=True)


def _path(var: Path, name: str) -> Path:
    # Containers share the folder, each with a name of its own.
    return var / "alive" / f"{name}@{platform.node()}.sign"


def trouble(var: Path, name: str) -> str:
    """Return what is wrong with this machine's worker or beat, or ""."""
    try:
        noted = float(_path(var, name).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return f"The {name} has not started on this machine, or was stopped."
    seconds = time.monotonic() - noted  # below 0 after a restart of the machine
    if 0 <= seconds <= SILENCE_SECONDS[name]:
        return ""
    return f"The {name} is silent: it has died, hangs, or does not reach Redis."


def trouble_of_web(site_url: str, port: int) -> str:
    """Ask as the proxy does; return what is wrong with the answer, or ""."""
    site = urlsplit(site_url)
    headers = {"Host": site.netloc, "X-Forwarded-Proto": site.scheme}
    address = site.path.rstrip("/") + "/health/"
    web = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
    try:
        web.request("GET", address, headers=headers)
        status = web.getresponse().status
    except OSError as error:
        return f"The web process does not answer on port {port}: {error}."
    finally:
        web.close()
    return "" if status == http.client.OK else f"The web process answers {status}."


def given(name: str) -> str:
    """Return a variable as `config/env.py` does, from a file too."""
    path = os.environ.get(f"{name}_FILE")
    return Path(path).read_text(encoding="utf-8").strip() if path else os.environ.get(name, "")


def var_folder() -> Path:
    return Path(given("VAR_DIR") or Path(__file__).resolve().parent.parent / "var")


def main(name: str, port: str = "") -> str:
    if name == "web":
        site_url = given("SITE_URL") or "http://localhost:8000"
        return trouble_of_web(site_url, int(port or port_of(var_folder())))
    return trouble(var_folder(), name)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) or 0)
