"""Text in blocks of whole lines."""

from collections.abc import Callable, Iterator
from typing import BinaryIO

import numpy as np

from cleverdon.trec.docnos import LINE_END
from cleverdon.trec.engine.fields import LineBlock
from cleverdon.trec.streams import FormatError

# Bytes. Arrays computed from a block of this size stay in the processor's cache.
BLOCK = 1 << 20
PIECE = 1 << 16


def blocks(
    stream: BinaryIO, on_progress: Callable[[int], None] | None = None
) -> Iterator[LineBlock]:
    """Yield a stream's lines, a block at a time. CR LF becomes LF, and the last line has an end.

    `on_progress` gets the number of bytes yielded so far. If reading raises FormatError, the whole
    lines before the fault are yielded first.
    """
    line, n_bytes = 1, 0
    for whole in _texts(stream):
        n_bytes += len(whole)
        text = whole.replace(b"\r\n", b"\n") if b"\r" in whole else whole
        end = len(text)
        content = np.frombuffer(text, np.uint8)
        n_lines = int(np.count_nonzero(content[:end] == LINE_END))
        yield LineBlock(line, n_lines, content, 0, end)
        line += n_lines
        if on_progress:
            on_progress(n_bytes)


def _texts(stream: BinaryIO) -> Iterator[bytearray]:
    """Yield whole lines, about BLOCK bytes at a time."""
    text = bytearray()
    while True:
        before = len(text)  # of a line that has no end yet
        try:
            while len(text) < before + BLOCK and (piece := stream.read(PIECE)):
                text += piece
        except FormatError:
            if whole := text[: text.rfind(b"\n") + 1]:
                yield whole
            raise
        if len(text) < before + BLOCK:
            break
        if stop := text.rfind(b"\n", before) + 1:
            whole, text = text, text[stop:]
            del whole[stop:]
            yield whole
    if text:
        yield text if text.endswith(b"\n") else text + b"\n"
