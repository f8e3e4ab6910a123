"""What all readers share: an error with its line, and streams unpacked within bounds."""

import gzip
import io
import re
import zlib
from typing import BinaryIO

GZIP = b"\x1f\x8b"
# Of a file on one's own machine: enough for any, and an end to gzip data that expand forever.
MOST_BYTES = 1 << 40
_SURROGATE = re.compile("[\ud800-\udfff]")


class FormatError(ValueError):
    """A file is not as it should be. `line` counts from 1, None where it is the whole file."""

    def __init__(self, line: int | None, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(f"Line {line}: {message}" if line else message)

    def __reduce__(self) -> tuple[type, tuple[int | None, str]]:
        """Let it be raised in another process: by itself an exception is made anew from its sentence alone."""
        return type(self), (self.line, self.message)


def opened(stream: BinaryIO, *, limit: int = MOST_BYTES) -> BinaryIO:
    """Return the content of a plain or gzip stream, at most `limit` bytes of it. The stream itself stays open.

    Reading raises FormatError when the gzip data is damaged or cut short, and once more than `limit` bytes have come out:
    a file made to expand without end is refused while it expands.
    """
    source = _Borrowed(stream)  # type: ignore[arg-type]
    is_packed = source.peek(len(GZIP)).startswith(GZIP)
    inner = gzip.GzipFile(fileobj=source, mode="rb") if is_packed else source
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


class _Borrowed(io.BufferedReader):
    """Buffers a stream without owning it: the stream stays open when the buffer is closed or collected."""

    def close(self) -> None:
        pass


class _Bounded(io.RawIOBase):
    """A stream that may give so many bytes and no more; what is wrong with gzip data becomes a FormatError."""

    def __init__(self, inner: io.BufferedIOBase, limit: int) -> None:
        self.inner = inner
        self.limit = limit
        self.n_read = 0

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.inner.fileno()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            n_bytes = self.inner.readinto1(buffer)
        except EOFError as error:
            message = "The gzip file is cut short: its end is missing."
            raise FormatError(None, message) from error
        except (gzip.BadGzipFile, zlib.error) as error:
            message = "The gzip data is damaged: it cannot be unpacked to its end."
            raise FormatError(None, message) from error
        self.n_read += n_bytes
        if self.n_read > self.limit:
            message = (
                f"The file holds more than {self.limit:,} bytes, which is the limit."
            )
            raise FormatError(None, message)
        return n_bytes
