"""The documents that preferences are about, as a universe to place runs in."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import Integers, offsets_of, owners
from cleverdon.trec.preferences import Preferences


@dataclass(frozen=True, eq=False)
class PreferenceDetail:
    """The preferences between the entries of a universe."""

    preferences: Preferences

    def of_entries(self, entries: Integers, offsets: Integers) -> Self:
        """Return the preferences between these entries; chains, groups, topics may drop out."""
        whole = self.preferences
        numbers = np.full(len(whole.docnos), -1, dtype=np.int64)
        numbers[entries] = np.arange(len(entries))
        documents = numbers[whole.documents]
        lines = np.flatnonzero(documents >= 0)
        in_chain = _counts(whole.line_offsets, lines)
        chains = np.flatnonzero(in_chain)
        in_group = _counts(whole.chain_offsets, chains)
        groups = np.flatnonzero(in_group)
        in_topic = _counts(whole.group_offsets, groups)
        topics = np.flatnonzero(in_topic)
        return type(self)(
            Preferences(
                tuple(whole.topics[topic] for topic in topics.tolist()),
                offsets,
                whole.docnos.take(entries),
                offsets_of(in_topic[topics]),
                offsets_of(in_group[groups]),
                offsets_of(in_chain[chains]),
                documents[lines],
                whole.levels[lines],
            )
        )


def _counts(offsets: Integers, rows: Integers) -> Integers:
    """Count the rows in each group; group i has the rows `offsets[i]:offsets[i + 1]`."""
    return np.bincount(owners(np.diff(offsets))[rows], minlength=len(offsets) - 1)


def of_preferences(preferences: Preferences) -> Universe:
    """Return the documents of preferences as a universe; their grades are all 0, and not used."""
    return Universe(
        preferences.topics,
        preferences.offsets,
        preferences.docnos,
        np.zeros(len(preferences.docnos), dtype=np.int8),
        PreferenceDetail(preferences),
    )
