"""The stored form of a run: one file of arrays in rank order, written once, opened by memory map.

Layout: a magic line, eight bytes that give the header's length, the header (JSON), then each array at a multiple of 64
bytes. Nothing in it depends on any other run.
"""

import json
from pathlib import Path
from typing import BinaryIO

import numpy as np

from campaigns.core.runs import RankedRun

MAGIC = b"cleverdon run 1\n"
ALIGNMENT = 64
TYPES = {"offsets": "<i8", "scores": "<f8", "docno_offsets": "<i8", "docnos": "|u1"}


class DamagedColumns(ValueError):
    """Raised when a stored run is not what was written."""


def write(run: RankedRun, stream: BinaryIO) -> None:
    """Write a run; `open_columns` gives it back."""
    lengths = {name: len(getattr(run, name)) for name in TYPES}
    header = json.dumps(
        {"topics": run.topics, "lengths": lengths}, ensure_ascii=False
    ).encode()
    position = stream.write(MAGIC + len(header).to_bytes(8, "little") + header)
    for name, dtype in TYPES.items():
        position += stream.write(b"\x00" * (-position % ALIGNMENT))
        position += stream.write(
            np.ascontiguousarray(getattr(run, name), dtype=dtype).tobytes()
        )


def open_columns(path: Path) -> RankedRun:
    """Open a stored run; its arrays are read from the disk when they are touched. DamagedColumns when it is not whole."""
    with path.open("rb") as stream:
        head = stream.read(len(MAGIC) + 8)
        if head[: len(MAGIC)] != MAGIC:
            raise DamagedColumns(f"{path.name} is not a stored run.")
        size = int.from_bytes(head[len(MAGIC) :], "little")
        try:
            header = json.loads(stream.read(size))
        except ValueError as error:
            raise DamagedColumns(f"The header of {path.name} is damaged.") from error
    position = len(head) + size
    arrays = {}
    for name, dtype in TYPES.items():
        position += -position % ALIGNMENT
        length = header["lengths"][name]
        if position + length * np.dtype(dtype).itemsize > path.stat().st_size:
            raise DamagedColumns(f"{path.name} is cut short.")
        arrays[name] = (
            np.memmap(path, dtype=dtype, mode="r", offset=position, shape=(length,))
            if length
            else np.empty(0, dtype)
        )
        position += length * np.dtype(dtype).itemsize
    return RankedRun(topics=tuple(header["topics"]), **arrays)
