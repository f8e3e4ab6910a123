"""What tus says in headers, and the bytes of a piece as they come."""

from __future__ import annotations

import hashlib
import re
import tempfile
from base64 import b64encode
from contextlib import contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from django.conf import settings
from django.utils.http import http_date

from api.core.metadata import values_of
from api.uploads import OfTus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rest_framework.request import Request

    from api.models import Upload

VERSION = "1.0.0"
ALGORITHMS = ("sha1", "sha256")
EXTENSIONS = ("creation", "checksum", "expiration", "termination")
KIND = "application/offset+octet-stream"
MOST_METADATA = 4000
# Read at a time, and stored at a time.
STEP, BLOCK = 64 * 1024, 1024 * 1024
MISMATCH = 460  # as tus has it


def number(request: Request, name: str) -> int:
    """Return what a header says, which must be a length; OfTus if it does not."""
    text = request.headers.get(name, "")
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise OfTus(400, f"{name} must be a number of bytes, not {text[:40]!r}.")
    return int(text)


def metadata(request: Request) -> tuple[str, str]:
    """Return Upload-Metadata as it was sent, and the file's name in it."""
    sent = request.headers.get("Upload-Metadata", "")
    if len(sent) > MOST_METADATA:
        raise OfTus(400, f"Upload-Metadata has at most {MOST_METADATA:,} characters.")
    try:
        name = values_of(sent).get("filename", "")
    except ValueError as error:
        raise OfTus(400, "Upload-Metadata is not in Base64.") from error
    # A path is not for a server to know, and a NUL no database stores.
    return sent, re.split(r"[/\\]", name.replace("\0", ""))[-1]


def standing(upload: Upload) -> dict[str, str]:
    """Return the headers that say how far an upload is."""
    ends_at = http_date(upload.ends_at.timestamp())
    return {"Upload-Offset": str(upload.n_here), "Upload-Expires": ends_at}


class Piece:
    """The body of a request. `n_missing` is what it lacks after it was read, if it was cut."""

    def __init__(self, request: Request) -> None:
        self.stream: Any = request.stream
        self.n_missing = int(request.META.get("CONTENT_LENGTH") or 0)

    def blocks(self) -> Iterator[bytes]:
        """Yield what comes, also the last of a connection that is cut."""
        block = bytearray()
        for step in self._steps():
            block += step
            if len(block) >= BLOCK:
                yield bytes(block)
                block.clear()
        if block:
            yield bytes(block)

    def _steps(self) -> Iterator[bytes]:
        while self.n_missing and (step := self._step()):
            self.n_missing -= len(step)
            yield step

    def _step(self) -> bytes:
        try:
            return bytes(self.stream.read(min(STEP, self.n_missing)))
        except OSError:  # cut, or silent for too long
            return b""


@contextmanager
def checked(piece: Piece, checksum: str) -> Iterator[Iterator[bytes]]:
    """Yield the blocks of a piece once all are here and have this checksum; else OfTus."""
    algorithm, _, text = checksum.partition(" ")
    if algorithm not in ALGORITHMS:
        raise OfTus(400, f"Upload-Checksum is by {' or '.join(ALGORITHMS)}.")
    digest = hashlib.new(algorithm)
    with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as held:
        for block in piece.blocks():
            digest.update(block)
            held.write(block)
        if b64encode(digest.digest()).decode() != text:
            raise OfTus(MISMATCH, f"What arrived has another {algorithm}: send it again.")
        held.seek(0)
        yield _read(held)


def _read(held: IO[bytes]) -> Iterator[bytes]:
    return iter(partial(held.read, BLOCK), b"")
