"""Look up the entries of a universe by topic and docno, millions at once."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from cleverdon.trec.arrays import Hashes, Integers, Mask, offsets_of, owners, ranges

# Slots an entry: few of the lines that are no entry meet one.
SPREAD = 4


@dataclass(frozen=True, eq=False)
class PairIndex:
    """A hash table with slots of its own for each topic, which fit in the processor's cache.

    The slots of topic t begin at `firsts[t]`, and there are `sizes[t]`; the last slot of all is for
    topics that the table lacks (-1). Those that belong in slot s are `offsets[s]:offsets[s + 1]` of
    `entries` and of their `hashes`, if it `is_taken`. Equal hashes do not prove equal docnos.
    (Sorted hashes and binary search take three times as long.)
    """

    firsts: Integers
    sizes: Integers
    is_taken: Mask
    offsets: Integers
    entries: Integers
    hashes: Hashes

    @classmethod
    def of(cls, offsets: Integers, hashes: Hashes) -> Self:
        """Take the hashes of all docnos; those of topic t are `offsets[t]:offsets[t + 1]`."""
        counts = np.diff(offsets)
        sizes = np.append(SPREAD * counts, 0) + 1
        firsts = offsets_of(sizes[:-1])
        topics = owners(counts)
        entries = np.lexsort((hashes, topics))
        in_slots = hashes[entries]
        slots = _slots(firsts[topics], sizes[topics], in_slots)
        n_in_slot = np.bincount(slots, minlength=firsts[-1] + 1)
        return cls(firsts, sizes, n_in_slot > 0, offsets_of(n_in_slot), entries, in_slots)

    def look_up(self, topics: Integers, hashes: Hashes) -> tuple[Integers, Integers]:
        """Return the entries with a line's topic and hash, and their lines, rising; both int64."""
        slots = _slots(self.firsts[topics], self.sizes[topics], hashes)
        # Most lines of most runs are no entry: a byte a slot tells.
        lines = np.flatnonzero(self.is_taken[slots])
        slots = slots[lines]
        at, offsets = ranges(self.offsets[slots], self.offsets[slots + 1])
        lines = np.repeat(lines, np.diff(offsets))
        equal = np.flatnonzero(self.hashes[at] == hashes[lines])
        return self.entries[at[equal]], lines[equal]


def _slots(firsts: Integers, sizes: Integers, hashes: Hashes) -> Integers:
    """Return the slot of each hash among those of its topic, in the order of the hashes."""
    return firsts + (hashes.astype(np.int64) * sizes >> 32)
