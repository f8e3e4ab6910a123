"""Files sent in pieces (tus 1.0), which go on where they stopped, also by a command said again.

Nothing of it is kept on this machine: the site has what arrived, and by its SHA-256 a file is
known again, under whatever path and from whichever machine it is sent. One that changes meanwhile
has another one once all is there, which the site refuses.
"""

from __future__ import annotations

import logging
from base64 import b64encode
from contextlib import nullcontext
from hashlib import file_digest
from itertools import repeat
from os import SEEK_END
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cleverdon.client.errors import CONFLICT, TOO_LARGE, ClientError, Misfit, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cleverdon.client.connection import Connection, Progress

TUS = {"Tus-Resumable": "1.0.0"}
PIECE = TUS | {"Content-Type": "application/offset+octet-stream"}
# Bytes of a piece, halved down to the least while a proxy on the way lets no such piece through.
LEAST, MOST = 1 << 16, 1 << 21
BLOCK = 1 << 16  # read at a time
# How often a line that stays away is tried again after the longest of the usual pauses.
PATIENCE = 100
GONE = {404, 410}
log = logging.getLogger(__name__)


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
                return sending.key
            sending.send_piece()


class Sending:
    """A file on its way, of which `n_here` bytes have arrived."""

    def __init__(self, connection: Connection, uploads: str, file: Any) -> None:
        self.connection, self.uploads, self.file, self.most = connection, uploads, file, MOST
        self.name = Path(str(getattr(file, "name", "") or "file")).name
        self.n_bytes = file.seek(0, SEEK_END)
        file.seek(0)
        said = {"filename": self.name, "sha256": file_digest(file, "sha256").hexdigest()}
        self.metadata = ",".join(
            f"{name} {b64encode(text.encode()).decode()}" for name, text in said.items()
        )
        self.pauses = (*connection.pauses, *repeat(max(connection.pauses, default=0), PATIENCE))
        self._begin()

    def _begin(self) -> None:
        """Go on with the very same file if it was begun before and not used yet, else begin."""
        found = self.connection.pages(self.uploads)
        there = next((each for each in found if each["metadata"] == self.metadata), None)
        if there is None:
            said = {"Upload-Length": str(self.n_bytes), "Upload-Metadata": self.metadata}
            there = self.connection.asked("POST", self.uploads, headers=TUS | said).json()
        self.key, self.n_here = str(there["id"]), int(there["n_here"])
        self.at = f"{self.uploads}{self.key}/"
        if self.n_here:
            here, whole = f"{self.n_here:,}", f"{self.n_bytes:,}"
            log.warning("%s goes on: %s of %s bytes were there.", self.name, here, whole)

    def send_piece(self) -> None:
        """Send the next piece; where that is not what is missing there, ask how much is."""
        size = min(self.most, self.n_bytes - self.n_here)
        headers = {**PIECE, "Upload-Offset": str(self.n_here), "Content-Length": str(size)}
        piece = Piece(self, size)
        try:
            answer = self.connection.asked(
                "PATCH", self.at, content=piece, headers=headers, pauses=self.pauses
            )
        except (Misfit, Problem) as refused:
            self._mend(refused)
        else:
            self.n_here = int(answer.headers["Upload-Offset"])

    def _mend(self, refused: Misfit | Problem) -> None:
        """Do what lets the next piece through; raise again what nothing does."""
        if refused.status == TOO_LARGE and self.most > LEAST:
            self.most //= 2
        elif refused.status == CONFLICT and refused.kind == "upload":
            self.n_here = self.connection.get(self.at)["n_here"]
        elif refused.status in GONE:
            self._begin()  # somebody has deleted it, or an act has used it
        else:
            raise refused


class Piece:
    """The next part of a file, read each time that it is sent.

    httpx keeps what it sent until the next look for garbage, which must not be the whole file.
    """

    def __init__(self, sending: Sending, size: int) -> None:
        self.sending, self.start, self.size = sending, sending.n_here, size

    def __iter__(self) -> Iterator[bytes]:
        file = self.sending.file
        file.seek(self.start)
        for n_read in range(0, self.size, BLOCK):
            block = file.read(n := min(BLOCK, self.size - n_read))
            if len(block) < n:
                raise ClientError(f"{self.sending.name} has become shorter: send it again.")
            yield block
