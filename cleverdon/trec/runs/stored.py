"""The stored form of a run: one file of arrays in rank order, written once, opened by memory map.

No file depends on another run's.
"""

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from cleverdon.trec.arrays import Bytes, Hashes, Integers, offsets_of, smallest
from cleverdon.trec.docnos import Docnos, compact
from cleverdon.trec.lazy import lazy
from cleverdon.trec.mapped import Arrays, DamagedFile, open_arrays
from cleverdon.trec.mapped import write as write_arrays
from cleverdon.trec.runs.run import RankedRun

MAGIC = b"cleverdon run 4\n"
STEP = 1024  # docnos whose place in a file is found from the same mark


def write(run: RankedRun, stream: BinaryIO) -> None:
    """Write a run; `open_columns` gives it back."""
    arrays = {
        "offsets": run.offsets.astype("<i8"),
        "scores": run.scores.astype("<f8"),
        "hashes": run.docnos.hashes.astype("<u4"),
        "lengths": run.docnos.lengths.astype("<u1"),
        "docnos": compact(run.docnos).content,
    }
    if run.ranks is not None:
        arrays["ranks"] = smallest(run.ranks)  # two bytes for most
    facts = {"topics": run.topics, "tag": run.tag, "rules": run.rules}
    write_arrays(stream, MAGIC, facts, arrays)


def open_columns(path: Path) -> RankedRun:
    """Open a stored run; arrays are read when used. DamagedFile if the file is not whole."""
    facts, arrays = open_arrays(path, MAGIC)
    try:
        run = _run(facts, arrays)
    except (KeyError, TypeError) as error:
        raise DamagedFile(f"{path.name} is damaged.") from error
    if not _fits(run):
        raise DamagedFile(f"{path.name} is damaged: its parts do not fit.")
    return run


class InTurn(Docnos):
    """Docnos that follow one another, known by their lengths: only those taken cost memory.

    Whole runs are opened to read a few lines of a topic.
    """

    widths: Bytes
    marks: Integers

    def __init__(self, content: Bytes, lengths: Bytes, hashes: Hashes) -> None:
        self.__dict__.update(content=content, widths=lengths, known_hashes=hashes)
        sums = np.add.reduceat(lengths, np.arange(0, len(lengths), STEP), dtype=np.int64)
        self.__dict__["marks"] = offsets_of(sums + STEP)

    def __len__(self) -> int:
        return len(self.widths)

    def take(self, indices: Integers | slice) -> Docnos:
        if not isinstance(indices, slice) or indices.step not in {None, 1}:
            return super().take(indices)
        start, stop, _ = indices.indices(len(self))
        mark, n_after = divmod(start, STEP)
        before = self.widths[start - n_after : start].sum(dtype=np.int64) + n_after
        lengths = self.widths[start:stop].astype(np.int64)
        ends = self.marks[mark] + before + np.cumsum(lengths + 1) - 1
        return Docnos(self.content, ends - lengths, ends, self.hashes[start:stop])

    @lazy
    def starts(self) -> Integers:
        return self.ends - self.widths

    @lazy
    def ends(self) -> Integers:
        return np.cumsum(self.widths.astype(np.int64) + 1) - 1


def _run(facts: dict[str, Any], arrays: Arrays) -> RankedRun:
    docnos = InTurn(arrays["docnos"], arrays["lengths"], arrays["hashes"])
    topics = tuple(facts["topics"])
    numbers, ranks = (arrays["offsets"], arrays["scores"]), arrays.get("ranks")
    return RankedRun(topics, *numbers, docnos, facts["tag"], facts["rules"], ranks)


def _fits(run: RankedRun) -> bool:
    """Tell whether offsets rise from 0 to the number of documents, and each has a docno."""
    offsets, docnos = run.offsets, run.docnos
    n_bytes = int(docnos.take(slice(-1, None)).ends[0]) + 1 if len(docnos) else 0
    return bool(
        len(offsets) == len(run.topics) + 1
        and offsets[0] == 0
        and (offsets[1:] >= offsets[:-1]).all()
        and offsets[-1] == len(run.scores) == len(docnos) == len(docnos.hashes)
        and (run.ranks is None or len(run.ranks) == len(docnos))
        and n_bytes == len(docnos.content)
    )
