"""What all readers share: errors with a line, decoding, and streams unpacked within bounds."""

import io
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

import numpy as np

from cleverdon.trec.arrays import Bytes
from cleverdon.trec.words import counted

GZIP = b"\x1f\x8b"
BYTE_ORDER_MARK = "\ufeff"
MARKED = "It begins with a byte order mark: save the file as UTF-8 without one."
NOT_UTF8 = "It is not UTF-8: byte {} of the line cannot be read. Save the file as UTF-8."
LONE_CR = "It holds a CR without LF: save the file with LF or CR LF line ends."
# For files of one's own: more than any has, but an end to gzip data that expand forever.
MOST_BYTES = 1 << 40
# Bytes unpacked before the expansion is checked: a small file may be as repetitive as it likes.
FREE_BYTES = 1 << 22
# Gzip makes text of runs and documents 3 to 10 times shorter, the most repetitive perhaps 30 times.
MAX_EXPANSION = 100
# A line of a run over 64 KiB is refused and the rest is checked; a line over this ends the check.
MAX_LINE_BYTES = 1 << 20
PIECE = 1 << 14
# Faults listed of one file; the rest are counted.
MOST_TOLD = 20
MOST_QUOTED = 60  # characters of a word or a cell
LINE_END = ord("\n")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Those that are no space and no line end: no name in a file of columns holds one.
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f]")
_ENDS = re.compile(r"\r\n|\r|\n")


class FormatError(ValueError):
    """A file has the wrong format. `line` counts from 1; None means the whole file."""

    def __init__(self, line: int | None, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(f"Line {line}: {message}" if line else message)

    def __reduce__(self) -> tuple[type, tuple[int | None, str]]:
        """Pickle both arguments: by default only the message is kept."""
        return type(self), (self.line, self.message)


def told(faults: Iterable[FormatError]) -> list[str]:
    """Return a sentence for each of the first MOST_TOLD faults of a file, and count the rest."""
    in_order = sorted(faults, key=lambda fault: fault.line or 0)
    sentences = [str(each) for each in in_order[:MOST_TOLD]]
    if n_more := len(in_order) - len(sentences):
        sentences.append(f"{counted(n_more, 'more line')} cannot be taken.")
    return sentences


class _Limits(NamedTuple):
    """What a stream may hold; None is no limit."""

    n_bytes: int
    n_lines: int | None
    line_bytes: int | None
    expansion: int | None


def opened(
    stream: BinaryIO,
    *,
    limit: int = MOST_BYTES,
    max_lines: int | None = None,
    max_line_bytes: int | None = None,
    max_expansion: int | None = None,
) -> BinaryIO:
    """Return the content of a plain or gzip stream, which itself stays open.

    Reading raises FormatError for gzip data that is damaged or cut short, and as soon as a limit is
    passed, so that a file made to fill the memory is refused while it is read: more than `limit`
    bytes, more than `max_lines` line ends, a line of more than `max_line_bytes`, or gzip data that
    expand more than `max_expansion` times, beyond FREE_BYTES. NUL bytes after gzip data, which fill
    the blocks of tar and tapes, are skipped.
    """
    source = _Borrowed(stream)  # type: ignore[arg-type]
    is_packed = source.peek(len(GZIP)).startswith(GZIP)
    inner = _Unpacked(source) if is_packed else source
    limits = _Limits(limit, max_lines, max_line_bytes, max_expansion)
    return io.BufferedReader(_Bounded(inner, limits), buffer_size=1 << 16)


def decoded(content: bytes, first_line: int = 1) -> str:
    r"""Decode UTF-8; FormatError, with the line counted from `first_line`, for other bytes.

    >>> decoded(b"a\n\xff")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cleverdon.trec.streams.FormatError: Line 2: It is not UTF-8: byte 1 of the line cannot be...
    """
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = first_line + content.count(b"\n", 0, error.start)
        column = error.start - content.rfind(b"\n", 0, error.start)
        raise FormatError(line, NOT_UTF8.format(column)) from error


def lines_of(text: str) -> list[str]:
    r"""Return the lines that end in LF, CR LF or CR; what Unicode besides takes for ends is text.

    >>> lines_of("a\N{LINE SEPARATOR}b\r\nc\x85d\x0be")
    ['a\u2028b', 'c\x85d\x0be']
    """
    return _ENDS.split(text)


def has_lone_cr(line: str) -> bool:
    """Tell whether a line holds a CR before its end, as in a file with CR line ends."""
    return "\r" in line.rstrip("\r\n")


def storable(text: str) -> str:
    r"""Replace NUL and lone surrogates, which a database cannot hold, by U+FFFD.

    >>> storable("a\x00b") == "a\N{REPLACEMENT CHARACTER}b"
    True
    """
    if "\x00" in text:
        text = text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    if text.isascii():
        return text
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def is_readable(text: str) -> bool:
    r"""Tell whether a sentence can quote text: it has neither control characters nor U+FFFD.

    >>> is_readable("größer"), is_readable("a\x00b"), is_readable("a\N{REPLACEMENT CHARACTER}")
    (True, False, False)
    """
    return text.isprintable() and "\N{REPLACEMENT CHARACTER}" not in text


def readable(text: str) -> str:
    r"""Return text as a sentence can quote it.

    >>> readable("a\x00b.txt")
    'a?b.txt'
    """
    return "".join(each if is_readable(each) else "?" for each in text)


def not_a_word(what: str, name: str) -> str:
    r"""Say why files of columns cannot hold a name, "" if they can.

    >>> not_a_word("A docno", "d1"), not_a_word("A docno", "d 1")
    ('', "A docno is one word, not 'd 1'.")
    >>> not_a_word("A docno", "d\x01")
    "A docno holds no control characters, as 'd\\x01' does."
    """
    if name.split() != [name] or storable(name) != name or BYTE_ORDER_MARK in name:
        return f"{what} is one word, not {name[:60]!r}."
    if _CONTROLS.search(name):
        return f"{what} holds no control characters, as {name[:60]!r} does."
    return ""


def brief(text: str) -> str:
    r"""Return a word or a cell as a sentence can quote it, cut if it is long.

    >>> brief("a\x00b"), len(brief("x" * 999))
    ('a?b', 61)
    """
    return readable(text[:MOST_QUOTED]) + ("…" if len(text) > MOST_QUOTED else "")


def at_most(limit: int, lines: Iterable[bytes], sentence: str) -> Iterator[bytes]:
    r"""Yield lines; FormatError with the sentence once they pass `limit` bytes.

    >>> list(at_most(4, [b"a\n", b"b\n"], "It is too long."))
    [b'a\n', b'b\n']
    """
    n_bytes = 0
    for line in lines:
        n_bytes += len(line)
        if n_bytes > limit:
            raise FormatError(None, sentence)
        yield line


class _Borrowed(io.BufferedReader):
    """A buffer that leaves its stream open when it is closed or collected."""

    def close(self) -> None:
        pass


class _Unpacked(io.RawIOBase):
    """The content of gzip data, of one member after the other."""

    def __init__(self, source: io.BufferedReader) -> None:
        self.source = source
        self.member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self.pending = b""
        self.n_packed = 0

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.source.fileno()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self.member.eof or self._has_another():
            packed = self._next()
            content = self.member.decompress(packed, len(buffer))
            ended = self.member.eof
            self.pending = self.member.unused_data if ended else self.member.unconsumed_tail
            if content:
                buffer[: len(content)] = content
                return len(content)
            if not packed and not ended:
                message = "The gzip file is cut short: its end is missing."
                raise FormatError(None, message)
        return 0

    def _next(self) -> bytes:
        packed = self.pending
        if not packed:
            packed = self.source.read1(PIECE)
            self.n_packed += len(packed)
        return packed

    def _has_another(self) -> bool:
        """Begin the member after the one that has ended, if there is one."""
        while packed := self._next():
            self.pending = packed.lstrip(b"\0")
            if self.pending:
                self.member = zlib.decompressobj(16 + zlib.MAX_WBITS)
                return True
        return False


class _Bounded(io.RawIOBase):
    """A stream that raises FormatError beyond its limits, and for damaged gzip data."""

    def __init__(self, inner: io.BufferedReader | _Unpacked, limits: _Limits) -> None:
        self.inner = inner
        self.limits = limits
        self.n_read = 0
        self.n_lines = 0
        self.n_bytes_of_line = 0

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.inner.fileno()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            n_bytes = (
                self.inner.readinto(buffer)
                if isinstance(self.inner, _Unpacked)
                else self.inner.readinto1(buffer)
            )
        except zlib.error as error:
            message = "The gzip data is damaged: it cannot be unpacked to its end."
            raise FormatError(None, message) from error
        self.n_read += n_bytes
        self._check_size()
        if self.limits.n_lines is not None or self.limits.line_bytes is not None:
            self._check_lines(np.frombuffer(buffer[:n_bytes], np.uint8))
        return n_bytes

    def _check_size(self) -> None:
        most = self.limits.expansion
        if self.n_read > self.limits.n_bytes:
            message = f"The file holds more than {self.limits.n_bytes:,} bytes, which is the limit."
            raise FormatError(None, message)
        if most is None or not isinstance(self.inner, _Unpacked):
            return
        if self.n_read > max(FREE_BYTES, most * self.inner.n_packed):
            message = f"The gzip data become more than {most} times as long, which is the limit."
            raise FormatError(None, message)

    def _check_lines(self, content: Bytes) -> None:
        """Count the line ends; a line may begin in an earlier piece."""
        _, n_lines, line_bytes, _ = self.limits
        ends = np.flatnonzero(content == LINE_END)
        before = int(ends[0]) if len(ends) else len(content)
        if line_bytes is not None and self.n_bytes_of_line + before > line_bytes:
            message = f"It is longer than {line_bytes:,} bytes."
            raise FormatError(self.n_lines + 1, message)
        self.n_lines += len(ends)
        if n_lines is not None and self.n_lines > n_lines:
            message = f"The file has more than {n_lines:,} lines, which is the limit."
            raise FormatError(n_lines + 1, message)
        if len(ends):
            self.n_bytes_of_line = len(content) - 1 - int(ends[-1])
        else:
            self.n_bytes_of_line += len(content)
