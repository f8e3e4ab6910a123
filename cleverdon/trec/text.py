"""Text in blocks of whole lines."""

from collections.abc import Callable, Iterator
from typing import BinaryIO

import numpy as np

from cleverdon.trec.docnos import LINE_END
from cleverdon.trec.engine.fields import LineBlock
from cleverdon.trec.streams import FormatError

# Bytes. Arrays computed from a block of this size stay in the processor's cache.
BLOCK = 1 << 20
FIRST_SIZE = 1 << 16  # of a block's memory, which grows: most files are small


def blocks(
    stream: BinaryIO, on_progress: Callable[[int], None] | None = None
) -> Iterator[LineBlock]:
    """Yield a stream's lines, a block at a time. CR LF becomes LF, and the last line has an end.

    A block is overwritten by the next one: what is kept of it is copied. `on_progress` gets the
    number of bytes yielded so far. If reading raises FormatError, the whole lines before the fault
    are yielded first.
    """
    line, n_bytes = 1, 0
    for memory, n in _texts(stream):
        n_bytes += n
        has_return = memory.find(b"\r", 0, n) >= 0
        text = memory[:n].replace(b"\r\n", b"\n") if has_return else memory
        end = len(text) if has_return else n
        content = np.frombuffer(text, np.uint8)
        n_lines = int(np.count_nonzero(content[:end] == LINE_END))
        yield LineBlock(line, n_lines, content, 0, end)
        line += n_lines
        if on_progress:
            on_progress(n_bytes)


def _texts(stream: BinaryIO) -> Iterator[tuple[bytearray, int]]:
    """Yield whole lines, about BLOCK bytes at a time: in which memory, and how many bytes of it."""
    memory, n = bytearray(min(FIRST_SIZE, BLOCK)), 0
    while True:
        n, fault = _filled(stream, memory, n)
        is_last, stop = n < len(memory), 0
        if is_last and n and not fault and memory[n - 1] != LINE_END:
            memory[n] = LINE_END
            n += 1
        if is_last or n >= BLOCK:
            stop = memory.rfind(b"\n", 0, n) + 1
        if stop:
            yield memory, stop
        if fault:
            raise fault
        if is_last:
            return
        left = memory[stop:]
        if not stop:
            memory = bytearray(2 * n)
        n = len(left)
        memory[:n] = left


def _filled(stream: BinaryIO, memory: bytearray, n: int) -> tuple[int, FormatError | None]:
    """Read on after n bytes, until the memory is full or the stream ends, or has a fault."""
    space = memoryview(memory)
    # What a stream has read before its fault is told by readinto1 alone; not all have it.
    read = getattr(stream, "readinto1", None) or stream.readinto  # type: ignore[attr-defined]
    try:
        while n < len(memory) and (n_read := read(space[n:])):
            n += n_read
    except FormatError as error:
        return n, error
    return n, None
