"""What both readers read and return."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from cleverdon.trec.arrays import Bytes, Hashes, Integers

# Which lines may be there beside those of the wanted columns; see `table.Layout`.
BLANK_LINES, MORE_COLUMNS, COMMENTS = 1, 2, 4
# What became of a number: read; no number; to be read by Python's own `float`.
READ, NOT_READ, SLOWLY = range(3)
# Characters that separate no words, and that no name holds; see `streams.not_a_word`.
CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f]")
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

    def __len__(self) -> int:
        return len(self.starts)

    def tolist(self) -> list[bytes]:
        content, starts, ends = self.content.data, self.starts, self.ends
        if len(self) and (starts[1:] == ends[:-1] + 1).all():
            # One after the other, as docnos that are kept: a sixth of the time.
            text = content[int(starts[0]) : int(ends[-1])].tobytes()
            if len(words := text.split(b"\n")) == len(self):
                return words
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return [content[start:end].tobytes() for start, end in spans]


class Rows(NamedTuple):
    """The fields of lines, [columns x rows], and the number of each row's line.

    `has_high` if there are bytes above 127, which may have to be UTF-8.
    """

    starts: Integers
    ends: Integers
    line_numbers: Integers
    has_high: bool
