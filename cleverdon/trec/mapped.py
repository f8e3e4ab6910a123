"""Arrays in one file, written once and opened by memory map.

Layout: a magic line, the header's length in eight bytes, the header (JSON), then each array at a
multiple of 64 bytes.
"""

import json
from collections.abc import Mapping
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

ALIGNMENT = 64
LENGTH_BYTES = 8

Arrays = dict[str, NDArray[Any]]


class DamagedFile(ValueError):
    """A file is not what was written."""


def write(stream: BinaryIO, magic: bytes, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """Write facts that JSON can hold, and one-dimensional arrays; `open_arrays` gives them back."""
    types = {name: (array.dtype.str, len(array)) for name, array in arrays.items()}
    header = json.dumps({"facts": facts, "arrays": types}, ensure_ascii=False)
    text = header.encode(errors="surrogateescape")
    position = stream.write(magic + len(text).to_bytes(LENGTH_BYTES, "little") + text)
    for array in arrays.values():
        position += stream.write(bytes(-position % ALIGNMENT))
        position += stream.write(np.ascontiguousarray(array).data)


def open_arrays(path: Path, magic: bytes) -> tuple[dict[str, Any], Arrays]:
    """Return the facts and the arrays of a file; pages are read from the disk when used.

    DamagedFile if the file is of another kind, or cut short.
    """
    start = len(magic) + LENGTH_BYTES
    if path.stat().st_size < start:
        raise DamagedFile(f"{path.name} is not a file of this kind.")
    with path.open("rb") as file:
        # What numpy.memmap does, in a third of its time: a leaderboard opens hundreds.
        content = np.frombuffer(mmap(file.fileno(), 0, access=ACCESS_READ), np.uint8)
    if content[: len(magic)].tobytes() != magic:
        raise DamagedFile(f"{path.name} is not a file of this kind.")
    end = start + int.from_bytes(content[len(magic) : start].tobytes(), "little")
    try:
        text = content[start:end].tobytes().decode(errors="surrogateescape")
        header = json.loads(text)
        return header["facts"], _arrays(content, end, header["arrays"])
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFile(f"{path.name} is damaged or cut short.") from error


def _arrays(
    content: NDArray[np.uint8], position: int, types: Mapping[str, tuple[str, int]]
) -> Arrays:
    """View each array in the mapped file; ValueError if that ends too early."""
    arrays: Arrays = {}
    for name, (dtype, length) in types.items():
        start = position + -position % ALIGNMENT
        position = start + length * np.dtype(dtype).itemsize
        if not start <= position <= len(content):
            raise ValueError(name)
        arrays[name] = content[start:position].view(dtype)
    return arrays
