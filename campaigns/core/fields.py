"""Blocks of whole lines, and where the fields of their lines begin and end."""

from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

import numpy as np

from campaigns.core.docnos import PADDING, Bytes, Docnos, Integers

# So much at a time: a run of usual size in one piece, a long one without its whole text in memory.
BLOCK = 1 << 22
MAX_LINE = 1 << 16
LINE_END, BLANK, TAB = (ord(character) for character in "\n \t")
# What a regular line has between its fields and at its end; anything else up to the blank is neither.
BETWEEN, AT_END, NEITHER = range(3)
KINDS = np.full(256, NEITHER, dtype=np.uint8)
KINDS[[BLANK, TAB]], KINDS[LINE_END] = BETWEEN, AT_END
# Characters that part nothing, so that words can be read over both ends of a block.
MARGIN = b"." * PADDING


class Fields(NamedTuple):
    """Regular lines: field c of line i is `content[starts[i, c]:ends[i, c]]`.

    `content` has PADDING bytes more before the first line and after the last, so that words can be read over both ends.
    """

    content: Bytes
    starts: Integers
    ends: Integers

    def column(self, number: int) -> Docnos:
        """Return one field of every line."""
        return Docnos(self.content, self.starts[:, number], self.ends[:, number])


def blocks(
    stream: BinaryIO, on_progress: Callable[[int], None] | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yield (number of the first line, whole lines); of a line that does not end only the beginning is kept."""
    line, n_bytes, rest = 1, 0, b""
    while piece := stream.read(BLOCK):
        n_bytes += len(piece)
        end = piece.rfind(b"\n") + 1
        if end:
            block, rest = rest + piece[:end], piece[end:]
            yield line, block
            line += count_lines(block)
        else:
            rest = (rest + piece)[: MAX_LINE + 1]
        if on_progress:
            on_progress(n_bytes)
    if rest:
        yield line, rest


def regular(block: bytes, n_columns: int) -> Fields | None:
    """Return the fields of lines that all have so many, parted by one blank or tab each; None when a line has not."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    end = b"" if block.endswith(b"\n") else b"\n"
    content = np.frombuffer(b"".join((MARGIN, block, end, MARGIN)), dtype=np.uint8)
    separators = np.flatnonzero(content <= BLANK)
    if len(separators) % n_columns:
        return None
    kinds = KINDS[content[separators]].reshape(-1, n_columns)
    if not (kinds == [BETWEEN] * (n_columns - 1) + [AT_END]).all():
        return None
    starts = np.empty_like(separators)
    starts[0], starts[1:] = PADDING, separators[:-1] + 1
    if (starts == separators).any():
        return None
    fields = Fields(
        content, *(at.reshape(-1, n_columns) for at in (starts, separators))
    )
    longest = (fields.ends[:, -1] - fields.starts[:, 0]).max()
    return fields if longest < MAX_LINE else None


def count_lines(block: bytes) -> int:
    """Count lines, an unfinished last one too."""
    n_ends = np.count_nonzero(np.frombuffer(block, np.uint8) == LINE_END)
    return int(n_ends) + (not block.endswith(b"\n"))


def normalized(
    first: int, block: bytes, n_columns: int, *, comments: bool = False
) -> tuple[bytes, Integers]:
    """Return lines cut to so many fields, one blank between them, and their numbers; blank ones are left out.

    A line with fewer fields keeps them, and so is not regular. With `comments` lines that begin with `#` are left out too.
    """
    kept: list[bytes] = []
    places: list[int] = []
    for place, text in enumerate(block.removesuffix(b"\n").split(b"\n"), first):
        words = text.split(None, n_columns)[:n_columns]
        if words and not (comments and words[0].startswith(b"#")):
            kept.append(b" ".join(words).rstrip())
            places.append(place)
    return b"\n".join(kept), np.array(places, dtype=np.int64)
