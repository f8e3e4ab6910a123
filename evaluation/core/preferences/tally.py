"""Preferences that runs fulfil, counted."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from evaluation.core.evidence import Evidence
from evaluation.core.placements import Placements
from evaluation.core.preferences.groups import groups, limited
from evaluation.core.preferences.order import orders, rising_ties
from evaluation.core.preferences.shares import DocumentPairs, shares_of_one
from evaluation.core.preferences.universe import PreferenceUniverse
from trec.arrays import Floats, Integers
from trec.preferences import Preferences


@dataclass(frozen=True, eq=False)
class Tally:
    """What runs make of preferences; `topic_of` is the topic of each group.

    `counts[r, g, n, f]` are the preferences of group g of which run r retrieved n documents (0, 1 or 2) and which it does not
    fulfil (f = 0) or does (1). `limited[r, g, v]` are those fulfilled and all, as if as many documents were not relevant as
    relevant, of all documents (v = 0) and of those retrieved (1). `shares[r, t, n]` adds up, over the pairs of documents of
    topic t with at least n retrieved, which share of the preferences between the two is fulfilled; `pairs[r, t, n]` are those
    with n retrieved.
    """

    topic_of: Integers
    counts: Integers
    limited: Integers
    shares: Floats
    pairs: Integers


_TALLIES: WeakKeyDictionary[Evidence, Tally] = WeakKeyDictionary()


def tally(evidence: Evidence) -> Tally:
    """Count, once for all measures; ValueError when the universe is not that of preferences."""
    universe = evidence.universe
    if not isinstance(universe, PreferenceUniverse) or universe.preferences is None:
        raise ValueError("These judgments are not preferences.")
    if evidence not in _TALLIES:
        placed = rising_ties(evidence.placements)
        _TALLIES[evidence] = _counted(placed, universe.preferences)
    return _TALLIES[evidence]


def _counted(placed: Placements, preferences: Preferences) -> Tally:
    n_topics, n_groups = len(preferences.topics), len(preferences.chain_offsets) - 1
    n_runs = placed.n_rankings // max(1, n_topics)
    found = Tally(
        np.repeat(np.arange(n_topics), np.diff(preferences.group_offsets)),
        np.empty((n_runs, n_groups, 3, 2), dtype=np.int64),
        np.empty((n_runs, n_groups, 2, 2), dtype=np.int64),
        np.empty((n_runs, n_topics, 3)),
        np.empty((n_runs, n_topics, 3), dtype=np.int64),
    )
    for topic in range(n_topics):
        _count_topic(placed, preferences, topic, found)
    return found


def _count_topic(
    placed: Placements, preferences: Preferences, topic: int, found: Tally
) -> None:
    """Write what the runs make of a topic's preferences."""
    own, first = groups(preferences, topic), int(preferences.group_offsets[topic])
    pairs = DocumentPairs.of(own) if len(own) > 1 else None
    for run, order in enumerate(orders(placed, preferences, topic)):
        for number, group in enumerate(own, first):
            found.counts[run, number] = group.counts(order)
            found.limited[run, number] = [
                limited(group, order, retrieved_only=retrieved_only)
                for retrieved_only in (False, True)
            ]
        shares, n_pairs = (
            pairs.shares(order) if pairs else shares_of_one(found.counts[run, first])
        )
        found.shares[run, topic], found.pairs[run, topic] = shares, n_pairs
