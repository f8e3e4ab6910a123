"""What both readers read and return."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from cleverdon.trec.arrays import Bytes, Hashes, Integers, Ints

# Which lines may be there beside those of the wanted columns; see `table.Layout`.
BLANK_LINES, MORE_COLUMNS, COMMENTS = 1, 2, 4
# Characters that separate no words, and that no name holds; see `streams.not_a_word`.
CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f]")
# Bytes for each field that are copied at once: more takes longer than field after field.
CLOSE = 256
# Bytes of a block that show the kind of a file.
HEAD = 1 << 12


class LineBlock(NamedTuple):
    """The lines in `content[start:end]`, uint8, with their ends; `first` counts from 1."""

    first: int
    n_lines: int
    content: Bytes
    start: int
    end: int

    def head(self) -> bytes:
        """Return the first bytes, which show the kind of a file."""
        return self.content[self.start : min(self.end, self.start + HEAD)].tobytes()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each line with its number, without its end."""
        text = self.content[self.start : self.end - 1].tobytes()
        yield from enumerate(text.split(b"\n"), self.first)


class Wanted(NamedTuple):
    """The number of columns, what may be there beside them, and the bytes of too long a line."""

    n_columns: int
    allowed: int
    too_long: int


@dataclass(frozen=True, eq=False)
class Fields:
    """Fields of a text: number i is `content[starts[i]:ends[i]]`, never empty."""

    content: Bytes
    starts: Integers
    ends: Integers
    known_hashes: Hashes | None = None
    known_words: list[bytes] | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index: int) -> bytes:
        return self.content[self.starts[index] : self.ends[index]].tobytes()

    def tolist(self) -> list[bytes]:
        if self.known_words is not None:
            return self.known_words
        if not len(self):
            return []
        first, end = int(self.starts.min()), int(self.ends.max())
        are_close = end - first < CLOSE * len(self)
        text = self.content[first:end].tobytes() if are_close else self.content.data[first:end]
        # One after the other, as docnos that are kept: a sixth of the time.
        are_in_turn = (self.starts[1:] == self.ends[:-1] + 1).all()
        if are_in_turn and len(words := bytes(text).split(b"\n")) == len(self):
            return words
        spans = zip((self.starts - first).tolist(), (self.ends - first).tolist(), strict=True)
        return [bytes(text[start:end]) for start, end in spans]


class Rows(NamedTuple):
    """The fields of lines, [columns x rows], and the number of each row's line.

    The compiled reader has them in 32 bits: it gives up on a line too long, as any beyond is.

    `has_high` if there are bytes above 127, which may have to be UTF-8. `words` are all fields, row
    after row, if the reader has made them anyway.
    """

    starts: Ints | Integers
    ends: Ints | Integers
    line_numbers: Integers
    has_high: bool
    words: list[bytes] | None = None
