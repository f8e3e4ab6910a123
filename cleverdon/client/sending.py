"""Files sent in pieces (tus 1.0), which go on where they stopped, also by a command said again.

Nothing of it is kept on this machine: the site has what arrived, and by its SHA-256 a file is
known again, under whatever path and from whichever machine it is sent.
"""

from __future__ import annotations

import logging
import time
from base64 import b64encode
from contextlib import nullcontext
from hashlib import file_digest
from itertools import repeat
from os import SEEK_END, fstat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cleverdon.client.errors import CONFLICT, TOO_LARGE, ClientError, Misfit, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cleverdon.client.connection import Connection, Progress

TUS = {"Tus-Resumable": "1.0.0"}
PIECE = TUS | {"Content-Type": "application/offset+octet-stream"}
# Bytes of a piece, which follow the line; what a proxy lets through is often 8 MB.
LEAST, FIRST, MOST = 1 << 18, 1 << 20, 1 << 22
BLOCK = 1 << 16  # read at a time
QUICK_SECONDS, SLOW_SECONDS = 1.5, 6
# How often a line that stays away is tried again after the longest of the usual pauses.
PATIENCE = 100
GONE = {404, 410}
log = logging.getLogger(__name__)


def _stamp(file: Any) -> tuple[int, int]:
    """Return the size of a file and, of one on a disk, when it was last written."""
    n_bytes = file.seek(0, SEEK_END)
    try:
        return n_bytes, fstat(file.fileno()).st_mtime_ns
    except (AttributeError, OSError):
        return n_bytes, 0


def _sha256(file: Any) -> str:
    file.seek(0)
    return file_digest(file, "sha256").hexdigest()


def is_file(value: object) -> bool:
    return isinstance(value, Path) or hasattr(value, "read")


def sent(connection: Connection, uploads: str, given: Any, on_progress: Progress | None) -> str:
    """Send what is missing of a file, a path or open, to an address; return its id there."""
    with given.open("rb") if isinstance(given, Path) else nullcontext(given) as file:
        sending = Sending(connection, uploads, file)
        while True:
            if on_progress:
                on_progress(sending.n_here, sending.n_bytes)
            if sending.n_here == sending.n_bytes:
                sending.check()
                return sending.key
            sending.send_piece()


class Piece:
    """A part of a file, read each time that it is sent.

    httpx keeps what it sent until the next look for garbage, which must not be the whole file.
    """

    def __init__(self, file: Any, start: int, size: int) -> None:
        self.file, self.start, self.size = file, start, size

    def __iter__(self) -> Iterator[bytes]:
        self.file.seek(self.start)
        for n_read in range(0, self.size, BLOCK):
            yield self.file.read(min(BLOCK, self.size - n_read))


class Sending:
    """A file on its way, of which `n_here` bytes have arrived."""

    def __init__(self, connection: Connection, uploads: str, file: Any) -> None:
        self.connection, self.uploads, self.file = connection, uploads, file
        self.most, self.ceiling = FIRST, MOST
        self.name = Path(str(getattr(file, "name", "") or "file")).name
        self.stamp = _stamp(file)
        self.n_bytes, self.sha256 = self.stamp[0], _sha256(file)
        said = {"filename": self.name, "sha256": self.sha256}
        self.metadata = ",".join(
            f"{name} {b64encode(text.encode()).decode()}" for name, text in said.items()
        )
        self.pauses = (*connection.pauses, *repeat(max(connection.pauses, default=0), PATIENCE))
        self._begin()

    def _begin(self) -> None:
        there = self._found() or self._begun()
        self.key, self.n_here = str(there["id"]), int(there["n_here"])
        self.at = f"{self.uploads}{self.key}/"
        if self.n_here:
            here, whole = (f"{n / 1e6:.1f}" for n in (self.n_here, self.n_bytes))
            log.warning("%s goes on: %s of %s MB were there.", self.name, here, whole)

    def _found(self) -> dict[str, Any] | None:
        """Return the upload of the very same file that was begun before and not used yet."""
        there = self.connection.pages(self.uploads)
        return next((each for each in there if each["metadata"] == self.metadata), None)

    def _begun(self) -> dict[str, Any]:
        said = {"Upload-Length": str(self.n_bytes), "Upload-Metadata": self.metadata}
        begun = self.connection.asked("POST", self.uploads, headers=TUS | said)
        return dict(begun.json())

    def check(self) -> None:
        """Refuse a file that was edited meanwhile: what has arrived of it is none of its states."""
        stamp = _stamp(self.file)
        if stamp == self.stamp or (stamp[0] == self.n_bytes and _sha256(self.file) == self.sha256):
            return
        self.connection.asked("DELETE", self.at, headers=TUS)
        raise ClientError(f"{self.name} was changed while it was sent: send it again.")

    def send_piece(self) -> None:
        """Send the next piece; where that is not what is missing there, ask how much is."""
        if _stamp(self.file)[0] < self.n_bytes:
            self.check()
        size = min(self.most, self.n_bytes - self.n_here)
        headers = {**PIECE, "Upload-Offset": str(self.n_here), "Content-Length": str(size)}
        piece, begun = Piece(self.file, self.n_here, size), time.monotonic()
        try:
            answer = self.connection.asked(
                "PATCH", self.at, content=piece, headers=headers, pauses=self.pauses
            )
        except (Misfit, Problem) as refused:
            self._mend(refused)
        else:
            self.n_here = int(answer.headers["Upload-Offset"])
            self._measure(time.monotonic() - begun)

    def _mend(self, refused: Misfit | Problem) -> None:
        """Do what lets the next piece through; raise again what nothing does."""
        if refused.status == TOO_LARGE and self.most > LEAST:
            self.ceiling = self.most = self.most // 2  # more is not let through
        elif refused.status == CONFLICT and refused.kind == "upload":
            self.n_here = self.connection.get(self.at)["n_here"]
        elif refused.status in GONE:
            self._begin()  # somebody has deleted it, or an act has used it
        else:
            raise refused

    def _measure(self, seconds: float) -> None:
        if seconds < QUICK_SECONDS:
            self.most = min(self.ceiling, self.most * 2)
        elif seconds > SLOW_SECONDS:
            self.most = max(LEAST, self.most // 2)
