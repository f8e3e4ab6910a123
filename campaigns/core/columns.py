"""The stored form of a run: one file of arrays in rank order, written once, opened by memory map.

Layout: a magic line, eight bytes that give the header's length, the header (JSON), then each array at a multiple of 64
bytes. Nothing in it depends on any other run.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from campaigns.core.runs import RankedRun

MAGIC = b"cleverdon run 1\n"
HEADER_AT = len(MAGIC) + 8
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
    if path.stat().st_size < HEADER_AT:
        raise DamagedColumns(f"{path.name} is not a stored run.")
    content = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    if content[: len(MAGIC)].tobytes() != MAGIC:
        raise DamagedColumns(f"{path.name} is not a stored run.")
    size = int.from_bytes(content[len(MAGIC) : HEADER_AT].tobytes(), "little")
    end = HEADER_AT + size
    try:
        header = json.loads(content[HEADER_AT:end].tobytes())
        run = RankedRun(
            tuple(header["topics"]), **_arrays(content, end, header["lengths"])
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedColumns(f"{path.name} is damaged or cut short.") from error
    if not _fits(run):
        raise DamagedColumns(f"{path.name} is damaged: its parts do not fit.")
    return run


def _arrays(
    content: NDArray[np.uint8], position: int, lengths: Mapping[str, int]
) -> dict[str, NDArray[Any]]:
    """Return each array as a view of the mapped file; ValueError when it ends too early."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, dtype in TYPES.items():
        start = position + -position % ALIGNMENT
        position = start + lengths[name] * np.dtype(dtype).itemsize
        if not start <= position <= len(content):
            raise ValueError(name)
        arrays[name] = content[start:position].view(dtype)
    return arrays


def _fits(run: RankedRun) -> bool:
    """Tell whether both offsets lead from 0 through as many topics to the ends of what they divide."""
    return all(
        len(offsets) == len(run.topics) + 1
        and offsets[0] == 0
        and offsets[-1] == len(divided)
        and bool((offsets[1:] >= offsets[:-1]).all())
        for offsets, divided in (
            (run.offsets, run.scores),
            (run.docno_offsets, run.docnos),
        )
    )
