"""The stored form of placements: one small file a run, opened by memory map."""

from pathlib import Path
from typing import BinaryIO

import numpy as np

from cleverdon.measures.inputs.placements import Placements
from cleverdon.trec.arrays import offsets_of
from cleverdon.trec.mapped import DamagedFile, open_arrays, write

MAGIC = b"cleverdon placements 1\n"


def write_placements(placements: Placements, stream: BinaryIO) -> None:
    """Write the placements of one run, for `open_placements`; ties only if there are any."""
    arrays = {
        "counts": np.diff(placements.offsets).astype(np.int32),
        "n_retrieved": placements.n_retrieved,
        "entries": placements.entries,
        "ranks": placements.ranks,
    }
    has_ties = bool((placements.firsts != placements.lasts).any())
    if has_ties:
        arrays |= {"firsts": placements.firsts, "lasts": placements.lasts}
    write(stream, MAGIC, {"has_ties": has_ties}, arrays)


def open_placements(path: Path) -> Placements:
    """Open stored placements as memory maps; DamagedFile when the file is incomplete."""
    facts, arrays = open_arrays(path, MAGIC)
    try:
        offsets = offsets_of(arrays["counts"])
        entries, ranks = arrays["entries"], arrays["ranks"]
        firsts = arrays["firsts"] if facts["has_ties"] else ranks
        lasts = arrays["lasts"] if facts["has_ties"] else ranks
        n_retrieved = arrays["n_retrieved"]
    except (KeyError, TypeError) as error:
        raise DamagedFile(f"{path.name} is damaged.") from error
    if not len(entries) == len(ranks) == offsets[-1]:
        raise DamagedFile(f"{path.name} is damaged: its parts do not fit.")
    return Placements(offsets, entries, ranks, firsts, lasts, n_retrieved)
