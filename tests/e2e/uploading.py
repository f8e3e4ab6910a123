"""Uploads over real connections: cut, reset and silent ones, and a web process to be killed."""

import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import psutil
import requests

from tests.deployment import ROOT
from tests.e2e import processes

SILENCE_SECONDS = 2
TUS = {"Tus-Resumable": "1.0.0"}
PIECE = "application/offset+octet-stream"


@contextmanager
def serving(var: Path, port: int) -> Iterator[psutil.Popen]:
    """The web process as `gunicorn config.wsgi` serves it, but with little patience for silence."""
    conf = (ROOT / "gunicorn.conf.py").read_text()
    (var / "conf.py").write_text(f"{conf}\nSILENCE_SECONDS = {SILENCE_SECONDS}\n")
    bind, log = f"127.0.0.1:{port}", var / "web.log"
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", bind, "--workers", "1"]
    with processes.process([*command, "-c", str(var / "conf.py")], var, log) as process:
        processes.wait_for(f"http://{bind}/sign-in/", log)
        yield process


class Sender:
    """A program that sends a file, and whose connections do not hold."""

    def __init__(self, uploads: str, token: str, content: bytes) -> None:
        self.uploads, self.content = uploads, content
        self.headers = {"Authorization": f"Bearer {token}", **TUS}
        length = {"Upload-Length": str(len(content)), "Upload-Metadata": "filename YmlnLnR4dA=="}
        answer = requests.post(uploads, headers={**self.headers, **length}, timeout=60)
        assert answer.status_code == 201, answer.text
        self.at = urljoin(uploads, answer.headers["Location"])
        self.key = answer.json()["id"]

    def offset(self) -> int:
        return int(
            requests.head(self.at, headers=self.headers, timeout=60).headers["Upload-Offset"]
        )

    def send(self, n_bytes: int = 0, **headers: str) -> requests.Response:
        """Send all that is missing, or so much of it."""
        offset = self.offset()
        piece = self.content[offset : offset + (n_bytes or len(self.content))]
        said = {**self.headers, "Upload-Offset": str(offset), "Content-Type": PIECE, **headers}
        return requests.patch(self.at, data=piece, headers=said, timeout=120)

    def begin(self, offset: int, n_bytes: int) -> socket.socket:
        """Send so many bytes of a piece that was to have all the others too."""
        address = urlsplit(self.at)
        said = {
            **self.headers,
            "Host": address.netloc,
            "Upload-Offset": str(offset),
            "Content-Type": PIECE,
            "Content-Length": str(len(self.content) - offset),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in said.items())
        connection = socket.create_connection((address.hostname, address.port), timeout=60)
        connection.sendall(f"PATCH {address.path} HTTP/1.1\r\n{lines}\r\n".encode())
        connection.sendall(self.content[offset : offset + n_bytes])
        return connection


def cut(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_WR)
    connection.close()


def reset(connection: socket.socket) -> None:
    """End it as a machine does that went away."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
