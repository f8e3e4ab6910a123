"""A hash table of (topic, docno) pairs: millions of look-ups at once."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from trec.arrays import Integers, Ints
from trec.docnos import Hashes

# 2**32 divided by the golden ratio: topics next to each other land far apart.
MULTIPLIER = np.uint32(0x9E3779B1)
# So many slots an entry, or up to twice as many: few entries share one, and few lines that are no entry meet one.
SPREAD = 4


class Table(NamedTuple):
    """A slot holds one of the entries that belong there, and `following` the next of the same slot, -1 after the last.

    Entries are known by `keys`: the topic's index and the docno's code. Equal keys do not prove equal docnos.
    """

    slots: Ints
    following: Ints
    keys: Integers

    @classmethod
    def of(cls, topics: Integers, hashes: Hashes) -> Self:
        """Take the topic's index and the docno's code of every entry."""
        n_entries = len(hashes)
        n_slots = 1 << (SPREAD * n_entries | 255).bit_length()
        slots = np.full(n_slots, -1, dtype=np.int32)
        following = np.full(n_entries, -1, dtype=np.int32)
        wanted = _slots(topics, hashes, len(slots))
        left = np.arange(n_entries, dtype=np.int32)
        # Of the entries that want a slot the last one written has it; the others are chained behind it, one a round.
        chain, at = slots, wanted
        while len(left):
            chain[at] = left
            holders = chain[at]
            waiting = holders != left
            chain, at, left = following, holders[waiting], left[waiting]
        return cls(slots, following, _keys(topics, hashes))

    def look_up(self, topics: Integers, hashes: Hashes) -> tuple[Integers, Integers]:
        """Return entries of the same topic and code, and which of the lines asked for each is; lines rise."""
        found = self.slots[_slots(topics, hashes, len(self.slots))]
        lines = np.flatnonzero(found >= 0)
        entries, keys = found[lines], _keys(topics[lines], hashes[lines])
        matches = []
        while len(lines):
            equal = np.flatnonzero(self.keys[entries] == keys)
            matches.append(np.stack([entries[equal], lines[equal]]))
            # An equal key may belong to another docno: the rest of its chain is searched too.
            entries = self.following[entries]
            rest = np.flatnonzero(entries >= 0)
            entries, lines, keys = entries[rest], lines[rest], keys[rest]
        return _in_order(matches)


def _in_order(matches: list[NDArray[np.int64]]) -> tuple[Integers, Integers]:
    if not matches:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    entries, lines = np.concatenate(matches, axis=1)
    if len(matches) > 1 and (np.diff(lines) < 0).any():
        order = np.lexsort((lines,))
        entries, lines = entries[order], lines[order]
    return entries, lines


def _keys(topics: Integers, hashes: Hashes) -> Integers:
    return (topics << 32) | hashes


def _slots(topics: Integers, hashes: Hashes, n_slots: int) -> NDArray[np.uint32]:
    """Return where in a table of a power of two of slots each pair belongs."""
    mixed = hashes + topics.astype(np.uint32) * MULTIPLIER
    return mixed >> np.uint32(33 - n_slots.bit_length())
