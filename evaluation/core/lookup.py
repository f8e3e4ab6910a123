"""Which entry of a universe a line of a run is: millions of (topic, docno) pairs looked up at once."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trec.arrays import Hashes, Integers, Mask, offsets_of, ranges

# 2**32 divided by the golden ratio, so that neighboring topics land far apart.
MULTIPLIER = np.uint32(0x9E3779B1)
# Slots an entry, or up to twice as many: few of the lines that are no entry meet one.
SPREAD = 4


@dataclass(frozen=True, eq=False)
class PairIndex:
    """A hash table. Those that belong in slot s are `offsets[s]:offsets[s + 1]` of `entries` and `keys`, if it `is_taken`.

    A key is the topic's index and the docno's hash in one int64. Equal keys do not prove equal docnos. (Sorted keys and
    binary search take a third of the code and three times as long.)
    """

    is_taken: Mask
    offsets: Integers
    entries: Integers
    keys: Integers

    @classmethod
    def of(cls, topics: Integers, hashes: Hashes) -> Self:
        """Take the topic's index and the docno's hash of every entry."""
        n_slots = 1 << (SPREAD * len(hashes) | 255).bit_length()
        slots = _slots(topics, hashes, n_slots)
        entries = np.lexsort((slots,))
        counts = np.bincount(slots, minlength=n_slots)
        keys = _keys(topics, hashes)[entries]
        return cls(counts > 0, offsets_of(counts), entries, keys)

    def look_up(self, topics: Integers, hashes: Hashes) -> tuple[Integers, Integers]:
        """Return every entry of a line's topic and hash, and the line it is for, int64 both; lines rise."""
        slots = _slots(topics, hashes, len(self.is_taken))
        # Most lines of most runs are no entry: a byte a slot tells, which stays in the processor's cache.
        lines = np.flatnonzero(self.is_taken[slots])
        slots = slots[lines]
        at, offsets = ranges(self.offsets[slots], self.offsets[1:][slots])
        lines = np.repeat(lines, np.diff(offsets))
        equal = np.flatnonzero(self.keys[at] == _keys(topics[lines], hashes[lines]))
        return self.entries[at[equal]], lines[equal]


def _keys(topics: Integers, hashes: Hashes) -> Integers:
    return (topics << 32) | hashes


def _slots(topics: Integers, hashes: Hashes, n_slots: int) -> NDArray[np.uint32]:
    """Return the slot of each pair: the upper bits of a hash of both. `n_slots` is a power of two."""
    mixed = hashes + topics.astype(np.uint32) * MULTIPLIER
    return mixed >> np.uint32(33 - n_slots.bit_length())
