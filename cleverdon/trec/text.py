"""Text in blocks of whole lines."""

from collections.abc import Callable, Iterator
from typing import BinaryIO

import numpy as np

from cleverdon.trec.docnos import LINE_END, PADDING
from cleverdon.trec.engine.fields import LineBlock
from cleverdon.trec.streams import FormatError

# Bytes. Arrays computed from a block of this size stay in the processor's cache.
BLOCK = 1 << 20
PIECE = 1 << 16


def blocks(
    stream: BinaryIO, on_progress: Callable[[int], None] | None = None
) -> Iterator[LineBlock]:
    """Yield a stream's lines; all blocks share one content, so that slices of it need no copy.

    CR LF becomes LF. `on_progress` gets the number of bytes yielded so far. If reading raises
    FormatError, the whole lines before the fault are yielded first.
    """
    text, error = _read(stream)
    end = len(text)
    text += bytes(PADDING)
    content = np.frombuffer(text, np.uint8)
    start, line = 0, 1
    while start < end:
        stop = text.find(b"\n", start + BLOCK - 1, end) + 1 or end
        n_lines = int(np.count_nonzero(content[start:stop] == LINE_END))
        yield LineBlock(line, n_lines, content, start, stop)
        start, line = stop, line + n_lines
        if on_progress:
            on_progress(stop)
    if error:
        raise error


def _read(stream: BinaryIO) -> tuple[bytearray, FormatError | None]:
    """Return the whole lines of a stream, the last with its end, and the error that cut it."""
    text, error = bytearray(), None
    try:
        while piece := stream.read(PIECE):
            text += piece
    except FormatError as caught:
        error = caught
        del text[text.rfind(b"\n") + 1 :]
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    if text and not text.endswith(b"\n"):
        text += b"\n"
    return text, error
