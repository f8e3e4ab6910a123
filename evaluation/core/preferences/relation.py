"""The preferences of a topic, one by one."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from campaigns.core.preferences import Preferences
from evaluation.core.arrays import Integers, Mask, ranges, smallest
from evaluation.core.universe import Universe


@dataclass(frozen=True, eq=False)
class PreferenceUniverse(Universe):
    """The documents that preferences are about, as entries in the same order; grades say nothing, all are 0."""

    preferences: Preferences | None = None

    @classmethod
    def by(cls, preferences: Preferences) -> Self:
        """Take the documents of preferences."""
        return cls(
            preferences.topics,
            preferences.offsets,
            preferences.docnos,
            smallest(np.zeros(len(preferences.docnos), dtype=np.int64)),
            preferences=preferences,
        )


class Relation(NamedTuple):
    """Every preference of a topic, group after group: `better` over `worse`, documents numbered from 0 in byte order.

    Those of the topic's group g are `offsets[g]:offsets[g + 1]`.
    """

    better: Integers
    worse: Integers
    offsets: Integers

    @property
    def groups(self) -> Integers:
        """The group each is of."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


def relation(preferences: Preferences, topic: int) -> Relation:
    """Return all preferences of a topic: those its lines state, and within a group those that follow from them.

    What follows does so by transitivity (a over b in one chain, b over c in another).
    """
    first, last = preferences.group_offsets[topic : topic + 2].tolist()
    chains = preferences.chain_offsets[first : last + 1]
    better, worse, ends = _stated(preferences, chains[0], chains[-1])
    better -= preferences.offsets[topic]
    worse -= preferences.offsets[topic]
    parts = []
    for start, end in zip((chains - chains[0])[:-1], (chains - chains[0])[1:], strict=True):
        own = slice(ends[start], ends[end])
        found = better[own], worse[own]
        parts.append(found if end - start == 1 else _closed(*found))
    offsets = np.cumsum([0, *(len(part[0]) for part in parts)])
    return Relation(*np.concatenate(parts, axis=1), offsets)


def _stated(
    preferences: Preferences, first: int, last: int
) -> tuple[Integers, Integers, Integers]:
    """Return the preferences within chains, better and worse documents, and where those of each chain begin and end."""
    offsets = preferences.line_offsets[first : last + 1]
    documents = preferences.documents[offsets[0] : offsets[-1]]
    levels = preferences.levels[offsets[0] : offsets[-1]]
    edges = offsets - offsets[0]
    begins: Mask = np.zeros(len(documents) + 1, dtype=np.bool_)
    begins[edges] = True
    begins[1:-1] |= levels[1:] != levels[:-1]
    starts = np.flatnonzero(begins)
    # Each document is preferred to all lines from the next level to the end of its chain.
    lower = starts[np.cumsum(begins[:-1])]
    ends = np.repeat(edges[1:], np.diff(edges))
    at, counts = ranges(lower, ends)
    return np.repeat(documents, ends - lower), documents[at], counts[edges]


def _closed(better: Integers, worse: Integers) -> tuple[Integers, Integers]:
    """Return each preference once, with those that follow."""
    documents, numbers = np.unique(np.stack([better, worse]), return_inverse=True)
    n = len(documents)
    reaches = np.zeros((n, n), dtype=np.float32)
    reaches[tuple(numbers.reshape(2, -1))] = 1
    n_before = -1
    while n_before != (n_before := np.count_nonzero(reaches)):
        reaches = ((reaches + reaches @ reaches) > 0).astype(np.float32)
    rows, columns = np.nonzero(reaches)
    return documents[rows], documents[columns]
