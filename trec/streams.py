"""What all readers share: an error that knows its line, and streams that unpack themselves within bounds."""

import io
import re
import zlib
from typing import BinaryIO

GZIP = b"\x1f\x8b"
CHUNK = 1 << 16
_SURROGATE = re.compile("[\ud800-\udfff]")


class FormatError(ValueError):
    """A file is not as it should be. `line` counts from 1, None where it is the whole file."""

    def __init__(self, line: int | None, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(f"Line {line}: {message}" if line else message)


def opened(stream: BinaryIO, *, limit: int) -> BinaryIO:
    """Return the content of a plain or gzip stream, at most `limit` bytes of it.

    Reading raises FormatError as soon as more has come out, so that a file made to expand without end is refused while
    it expands, and when the gzip data is damaged or cut short.
    """
    head = stream.read(2)
    whole = _Pushed(head, stream)
    inner: io.RawIOBase = _Unzipped(whole) if head == GZIP else whole
    return io.BufferedReader(_Bounded(inner, limit), buffer_size=1 << 20)


def storable(text: str) -> str:
    r"""Return text with what neither UTF-8 nor a database can hold, NUL and lone surrogates, replaced by U+FFFD.

    >>> storable("a\x00b") == "a\N{REPLACEMENT CHARACTER}b"
    True
    """
    if "\x00" in text:
        text = text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    if text.isascii():
        return text
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


class _Pushed(io.RawIOBase):
    """A stream with its first bytes put back."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self.head = head
        self.stream = stream

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.stream.fileno()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self.head:
            return int(self.stream.readinto(buffer) or 0)  # type: ignore[attr-defined]
        head, self.head = self.head[: len(buffer)], self.head[len(buffer) :]
        buffer[: len(head)] = head
        return len(head)


class _Unzipped(io.RawIOBase):
    """What a gzip stream holds, all its members one after the other."""

    def __init__(self, packed: io.RawIOBase) -> None:
        self.packed = packed
        self.unpacker = zlib.decompressobj(wbits=31)
        self.waiting = b""

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.packed.fileno()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            piece = self._unpacked(len(buffer))
        except zlib.error as error:
            raise FormatError(
                None, "The gzip data is damaged: it cannot be unpacked to its end."
            ) from error
        buffer[: len(piece)] = piece
        return len(piece)

    def _unpacked(self, size: int) -> bytes:
        while True:
            if self.unpacker.eof:
                rest = self.unpacker.unused_data or self.packed.read(CHUNK) or b""
                if not rest:
                    return b""
                self.unpacker, self.waiting = zlib.decompressobj(wbits=31), rest
            packed = self.waiting or self.packed.read(CHUNK) or b""
            if not packed:
                raise FormatError(
                    None, "The gzip file is cut short: its end is missing."
                )
            piece = self.unpacker.decompress(packed, size)
            self.waiting = self.unpacker.unconsumed_tail
            if piece:
                return piece


class _Bounded(io.RawIOBase):
    """A stream that may give so many bytes and no more."""

    def __init__(self, inner: io.RawIOBase, limit: int) -> None:
        self.inner = inner
        self.limit = limit
        self.given = 0

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.inner.fileno()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        n_read = int(self.inner.readinto(buffer) or 0)
        self.given += n_read
        if self.given > self.limit:
            raise FormatError(
                None,
                f"The file holds more than {self.limit:,} bytes, which is the limit.",
            )
        return n_read
