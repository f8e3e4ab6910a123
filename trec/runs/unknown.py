"""Docnos of a run held against those of the collection, which may be many millions."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple, Self

import numpy as np

from trec.docnos import Docnos, Hashes, Integers, Mask, same

AT_A_TIME = 1 << 15
HALF, LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)


class _Groups(NamedTuple):
    """Rows of docnos brought together by code: those of group g follow each other in `rows`, and `of` is the group of each.

    `hashes` and `heads`, the first row, are of the groups. A group is `mixed` when its docnos are not all the same.
    """

    rows: Integers
    of: Integers
    hashes: Hashes
    heads: Integers
    mixed: Mask

    @classmethod
    def by_hash(cls, docnos: Docnos) -> Self:
        keys = docnos.hashes.astype(np.uint64) << HALF
        keys |= np.arange(len(docnos), dtype=np.uint64)
        keys = np.sort(keys)
        hashes, rows = (keys >> HALF).astype(np.uint32), (keys & LOW_HALF).astype(int)
        begins = np.diff(hashes, prepend=~hashes[:1]) != 0
        of = np.cumsum(begins) - 1
        heads = rows[begins]
        mixed = np.zeros(len(heads), dtype=np.bool_)
        others, heads_of = rows[~begins], heads[of[~begins]]
        equal = same(_bare(docnos, others), _bare(docnos, heads_of))
        mixed[of[~begins][~equal]] = True
        return cls(rows, of, hashes[begins], heads, mixed)


def unknown(docnos: Docnos, known: Iterable[str]) -> Integers:
    """Return the rows of docnos that are not among the known, in their order; the known are gone through once."""
    if not len(docnos):
        return np.empty(0, dtype=np.int64)
    groups = _Groups.by_hash(docnos)
    found = np.zeros(len(groups.hashes), dtype=np.bool_)
    of_mixed: set[bytes] = set()
    for names in _batches(known):
        theirs = Docnos.of(names)
        at = np.searchsorted(groups.hashes, theirs.hashes)
        at = np.minimum(at, len(groups.hashes) - 1)
        hits = np.flatnonzero(groups.hashes[at] == theirs.hashes)
        at = at[hits]
        equal = same(_bare(theirs, hits), _bare(docnos, groups.heads[at]))
        found[at[equal]] = True
        of_mixed.update(names[hit] for hit in hits[groups.mixed[at]].tolist())
    is_unknown = ~found[groups.of]
    # Where different docnos have one code each is looked for by itself.
    for place in np.flatnonzero(groups.mixed[groups.of]).tolist():
        is_unknown[place] = docnos[groups.rows[place]] not in of_mixed
    return np.sort(groups.rows[is_unknown])


def _bare(docnos: Docnos, rows: Integers) -> Docnos:
    return docnos.take(rows, with_hashes=False)


def _batches(names: Iterable[str]) -> Iterator[list[bytes]]:
    rest = iter(names)
    while batch := [name.encode() for name in islice(rest, AT_A_TIME)]:
        yield batch
