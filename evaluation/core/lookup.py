"""A hash table of (topic, docno) pairs: millions of look-ups at once."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from campaigns.core.docnos import Codes
from evaluation.core.arrays import Integers, Ints, Mask

# 2**32 divided by the golden ratio: topics next to each other land far apart.
MULTIPLIER = np.uint32(0x9E3779B1)
SPREAD = 8


class Table(NamedTuple):
    """A slot holds one of the entries that belong there, and `following` the next of the same slot, -1 after the last.

    Entries are known by `keys`: the topic's index and the docno's code. Equal keys do not prove equal docnos. Most lines of a run
    are no entry: `taken` tells so of nearly all of them by one byte, in a table of SPREAD times as many slots.
    """

    taken: Mask
    slots: Ints
    following: Ints
    keys: Integers

    @classmethod
    def of(cls, topics: Integers, codes: Codes) -> Self:
        """Take the topic's index and the docno's code of every entry."""
        n_entries = len(codes)
        slots = np.full(1 << (n_entries | 255).bit_length(), -1, dtype=np.int32)
        taken = np.zeros(SPREAD * len(slots), dtype=np.bool_)
        taken[_slots(topics, codes, len(taken))] = True
        following = np.full(n_entries, -1, dtype=np.int32)
        wanted = _slots(topics, codes, len(slots))
        left = np.arange(n_entries, dtype=np.int32)
        # Of the entries that want a slot the last one written has it; the others are chained behind it, one a round.
        chain, at = slots, wanted
        while len(left):
            chain[at] = left
            holders = chain[at]
            waiting = holders != left
            chain, at, left = following, holders[waiting], left[waiting]
        return cls(taken, slots, following, _keys(topics, codes))

    def look_up(self, topics: Integers, codes: Codes) -> tuple[Integers, Integers]:
        """Return entries of the same topic and code, and which of the lines asked for each is; lines rise."""
        lines = np.flatnonzero(self.taken[_slots(topics, codes, len(self.taken))])
        topics, codes, matches = topics[lines], codes[lines], []
        keys = _keys(topics, codes)
        # Where `taken` has its slot an entry has this one too: no slot is empty.
        entries = self.slots[_slots(topics, codes, len(self.slots))]
        while len(lines):
            equal = self.keys[entries] == keys
            matches.append(np.stack([entries[equal], lines[equal]]))
            # An equal key may belong to another docno: the rest of its chain is searched too.
            entries = self.following[entries]
            going_on = entries >= 0
            entries, lines = entries[going_on], lines[going_on]
            keys = keys[going_on]
        return _in_order(matches)


def _in_order(matches: list[NDArray[np.int64]]) -> tuple[Integers, Integers]:
    if not matches:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    entries, lines = np.concatenate(matches, axis=1)
    if len(matches) > 1 and (np.diff(lines) < 0).any():
        order = np.lexsort((lines,))
        entries, lines = entries[order], lines[order]
    return entries, lines


def _keys(topics: Integers, codes: Codes) -> Integers:
    return (topics << 32) | codes


def _slots(topics: Integers, codes: Codes, n_slots: int) -> NDArray[np.uint32]:
    """Return where in a table of a power of two of slots each pair belongs."""
    mixed = codes + topics.astype(np.uint32) * MULTIPLIER
    return mixed >> np.uint32(33 - n_slots.bit_length())
