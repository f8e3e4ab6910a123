"""nginx before a web process."""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e import processes

needs_nginx = pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")


def alone(folder: Path, servers: str) -> str:
    """A whole configuration, of which nothing is outside the folder."""
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    # Its workers else are nobody's, who cannot enter the folder.
    user = "user root;\n" if os.geteuid() == 0 else ""
    return (
        f"{user}pid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}{servers}}}\n"
    )


def command(folder: Path) -> list[str]:
    return ["nginx", "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


@contextmanager
def running(folder: Path) -> Iterator[None]:
    """Run it as the folder's nginx.conf says."""
    words = [*command(folder), "-g", "daemon off;"]
    with processes.process(words, folder, folder / "nginx.log"):
        yield


@contextmanager
def limiting(folder: Path, to: int, limit: str) -> Iterator[int]:
    """Pass requests on to a port, none that is longer; yield the port where it listens."""
    port = processes.free_port()
    server = (
        f"server {{\nlisten 127.0.0.1:{port};\nclient_max_body_size {limit};\n"
        f"location / {{\nproxy_pass http://127.0.0.1:{to};\nproxy_set_header Host $http_host;\n"
        "}\n}\n"
    )
    (folder / "nginx.conf").write_text(alone(folder, server))
    with running(folder):
        processes.wait_until(lambda: listens(port), "nginx does not listen")
        yield port


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
