"""Blocks of whole lines, and where the fields of their lines begin and end."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import UnsupportedOperation
from typing import BinaryIO, NamedTuple

import numpy as np

from trec.docnos import PADDING, Bytes, Docnos, Integers
from trec.streams import FormatError

# So much at a time: what is made on the way then stays in the processor's cache.
BLOCK = 1 << 21
MAX_LINE = 1 << 16
LINE_END, BLANK, TAB, COMMENT = (ord(character) for character in "\n \t#")
# Characters that part nothing, so that words can be read over both ends of a text.
MARGIN = b"." * PADDING


class Block(NamedTuple):
    """Whole lines of a text: `content[start:end]`, PADDING bytes or more before and after; `first` is the number of the first."""

    first: int
    n_lines: int
    content: Bytes
    start: int
    end: int

    @classmethod
    def of(cls, first: int, text: bytes) -> "Block":
        """Take lines as a text of their own; the last is ended if it is not."""
        end = b"" if text.endswith(b"\n") or not text else b"\n"
        content = np.frombuffer(b"".join((MARGIN, text, end, MARGIN)), dtype=np.uint8)
        stop = len(content) - PADDING
        return cls(first, _count(content, PADDING, stop), content, PADDING, stop)

    @property
    def places(self) -> Integers:
        """The number of each line."""
        return np.arange(self.first, self.first + self.n_lines)

    @property
    def text(self) -> bytes:
        return self.content[self.start : self.end].tobytes()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each line with its number, without its end."""
        yield from enumerate(self.text.removesuffix(b"\n").split(b"\n"), self.first)


@dataclass(frozen=True, eq=False)
class Fields:
    """Regular lines: field c of line i ends before `content[ends[i, c]]`, and the next begins one further on.

    The first line begins at `start`. `content` has PADDING bytes more before the first line and after the last, so that words
    can be read over both ends.
    """

    content: Bytes
    start: int
    ends: Integers

    @property
    def n_lines(self) -> int:
        return len(self.ends)

    def starts(self, number: int) -> Integers:
        """Return where one field of every line begins."""
        if number:
            return self.ends[:, number - 1] + 1
        starts = np.empty(self.n_lines, dtype=np.int64)
        starts[0], starts[1:] = self.start, self.ends[:-1, -1]
        starts[1:] += 1
        return starts

    def column(self, number: int) -> Docnos:
        """Return one field of every line."""
        ends = np.ascontiguousarray(self.ends[:, number])
        return Docnos(self.content, self.starts(number), ends)

    def last(self, number: int) -> bytes:
        """Return one field of the last line."""
        before, end = self.ends[-1, [number - 1, number]].tolist()
        return self.content[before + 1 : end].tobytes()


def blocks(
    stream: BinaryIO, on_progress: Callable[[int], None] | None = None
) -> Iterator[Block]:
    """Yield a stream's lines, all blocks of one content: what is kept of them is not copied.

    `on_progress` is told how many bytes were yielded. What could be read before a FormatError of the stream comes before it.
    """
    content, end, error = _gathered(stream)
    if error:
        end = _last_line_end(content, end)
    elif end > PADDING and content[end - 1] != LINE_END:
        content[end] = LINE_END
        end += 1
    start, line = PADDING, 1
    while start < end:
        stop = _line_end(content, start + BLOCK, end)
        n_lines = _count(content, start, stop)
        yield Block(line, n_lines, content, start, stop)
        start, line = stop, line + n_lines
        if on_progress:
            on_progress(stop - PADDING)
    if error:
        raise error


def _gathered(stream: BinaryIO) -> tuple[Bytes, int, FormatError | None]:
    """Read a stream to its end, PADDING bytes before and more after; also tell where it ended, and what went wrong there."""
    content = np.empty(_size(stream) + 2 * PADDING + 2, dtype=np.uint8)
    content[:PADDING] = ord(".")
    end = PADDING
    try:
        while n_read := _read_into(stream, content[end : -PADDING - 1]):
            end += n_read
            if end == len(content) - PADDING - 1:
                content = np.concatenate([content, np.empty_like(content)])
    except FormatError as error:
        return content, end, error
    return content, end, None


def _read_into(stream: BinaryIO, room: Bytes) -> int:
    return int(stream.readinto(room.data) or 0)  # type: ignore[attr-defined]


def _size(stream: BinaryIO) -> int:
    """Return how many bytes the file behind a stream has, or a guess: what does not fit makes room for itself."""
    try:
        return os.fstat(stream.fileno()).st_size or BLOCK
    except (AttributeError, UnsupportedOperation):
        return BLOCK


def _line_end(content: Bytes, at: int, end: int) -> int:
    """Return where the line that goes on at a place has ended."""
    while at < end:
        found = np.flatnonzero(content[at : min(at + MAX_LINE, end)] == LINE_END)
        if len(found):
            return at + int(found[0]) + 1
        at += MAX_LINE
    return end


def _last_line_end(content: Bytes, end: int) -> int:
    found = np.flatnonzero(content[PADDING:end] == LINE_END)
    return PADDING + int(found[-1]) + 1 if len(found) else PADDING


def _count(content: Bytes, start: int, end: int) -> int:
    return int(np.count_nonzero(content[start:end] == LINE_END))


def regular(block: Block, n_columns: int, *, comments: bool = False) -> Fields | None:
    """Return the fields of lines that all have so many, parted by one blank or tab each; None when a line has not.

    With `comments` a line that begins with `#` has none.
    """
    content, start = block.content, block.start
    separates = content[start : block.end] <= BLANK
    # Whatever is not a character ends here too: a second blank, a carriage return, a NUL.
    if (separates[1:] & separates[:-1]).any() or separates[:1].any():
        return _regular_with_returns(block, n_columns, comments=comments)
    places = np.flatnonzero(separates)
    places += start
    if not len(places) or len(places) != block.n_lines * n_columns:
        return None
    if not _part_fields(content[places], n_columns):
        return None
    ends: Integers = places.reshape(-1, n_columns)
    fields = Fields(content, start, ends)
    is_short = np.diff(ends[:, -1], prepend=start - 1).max() <= MAX_LINE
    if comments and (content[fields.starts(0)] == COMMENT).any():
        return None
    return fields if is_short else None


def _part_fields(separators: Bytes, n_columns: int) -> bool:
    """Tell whether every so many of these characters are a line's: a line end after blanks or tabs."""
    at_end = separators == LINE_END
    if not at_end[n_columns - 1 :: n_columns].all():
        return False
    # As many lines as line ends: none of the others is one.
    return bool((at_end | (separators == BLANK) | (separators == TAB)).all())


def _regular_with_returns(
    block: Block, n_columns: int, *, comments: bool
) -> Fields | None:
    """Return the fields of lines that end with CR LF."""
    text = block.text
    if b"\r\n" not in text:
        return None
    plain = Block.of(block.first, text.replace(b"\r\n", b"\n"))
    return regular(plain, n_columns, comments=comments)


def normalized(
    block: Block, n_columns: int, *, comments: bool = False
) -> tuple[Block, Integers]:
    """Return lines cut to so many fields, one blank between them, and their numbers; blank ones are left out.

    A line with fewer fields keeps them, and so is not regular. With `comments` lines that begin with `#` are left out too.
    """
    kept: list[bytes] = []
    places: list[int] = []
    for place, text in block.lines():
        words = text.split(None, n_columns)[:n_columns]
        if words and not (comments and words[0].startswith(b"#")):
            kept.append(b" ".join(words).rstrip())
            places.append(place)
    lines = Block.of(block.first, b"\n".join(kept))
    return lines, np.array(places, dtype=np.int64)
