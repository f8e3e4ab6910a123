"""Preferences that rankings fulfil, counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from campaigns.core.preferences import Preferences
from evaluation.core.arrays import Floats, Integers, Mask
from evaluation.core.evidence import Evidence
from evaluation.core.placements import Placements
from evaluation.core.preferences.judged import Order, View, limited, views
from evaluation.core.preferences.relation import (
    PreferenceUniverse,
    Relation,
    relation,
)

# How many of the two documents of a preference were retrieved.
NEITHER, ONE, BOTH = range(3)


@dataclass(frozen=True, eq=False)
class Tally:
    """What runs make of preferences; [runs x groups x …] or [runs x topics x …], `topic_of` is the topic of each group.

    `counts[r, g, n, f]` are preferences of which n documents were retrieved, not fulfilled (f = 0) and fulfilled (1);
    `limited[r, g, v, f]` those when documents that are not relevant are as many as the relevant (`judged.limited`), fulfilled
    (f = 0) and all (1), of all documents (v = 0) and of the retrieved (1). `shares[r, t, n]` sums over the pairs of documents
    of which at least n were retrieved which share of the preferences between them is fulfilled; `pairs[r, t, n]` counts those
    with n retrieved.
    """

    topic_of: Integers
    counts: Integers
    limited: Integers
    shares: Floats
    pairs: Integers


_TALLIES: WeakKeyDictionary[Evidence, Tally] = WeakKeyDictionary()


def tally(evidence: Evidence) -> Tally:
    """Count once for all measures; ValueError when the universe is not that of preferences."""
    universe = evidence.universe
    if not isinstance(universe, PreferenceUniverse) or universe.preferences is None:
        raise ValueError("These judgments are not preferences.")
    if evidence not in _TALLIES:
        _TALLIES[evidence] = _counted(evidence.placements, universe.preferences)
    return _TALLIES[evidence]


def rising_ties(placements: Placements) -> Placements:
    """Return rankings with documents of the same score by docno ascending, none tied any more.

    Elsewhere trec_eval ranks them by docno descending, as the one ranking of this project does; for preferences alone it does
    so (form_prefs_counts.c). Before a cut this must come first.
    """
    ranks = placements.firsts + placements.lasts - placements.ranks
    order = np.lexsort((ranks, placements.rankings))
    ranks = ranks[order]
    return Placements(
        placements.offsets,
        placements.entries[order],
        ranks,
        ranks,
        ranks,
        placements.n_retrieved,
    )


def _counted(placements: Placements, preferences: Preferences) -> Tally:
    n_topics, n_groups = len(preferences.topics), len(preferences.chain_offsets) - 1
    n_runs = placements.n_rankings // max(1, n_topics)
    found = Tally(
        np.repeat(np.arange(n_topics), np.diff(preferences.group_offsets)),
        np.zeros((n_runs, n_groups, 3, 2), dtype=np.int64),
        np.zeros((n_runs, n_groups, 2, 2), dtype=np.int64),
        np.zeros((n_runs, n_topics, 3)),
        np.zeros((n_runs, n_topics, 3), dtype=np.int64),
    )
    placed = rising_ties(placements)
    for topic in range(n_topics):
        between = relation(preferences, topic)
        own = slice(*preferences.group_offsets[topic : topic + 2].tolist())
        groups, pairs = views(preferences, topic), _Pairs.of(between)
        for run, order in enumerate(_orders(placed, preferences, topic)):
            above, below = order.places[between.better], order.places[between.worse]
            counts = _counts(between, above, below, order.n_retrieved)
            found.counts[run, own] = counts
            found.limited[run, own] = _limited(groups, between, order, counts)
            found.shares[run, topic], found.pairs[run, topic] = pairs.shares(order, counts)
    return found


def _orders(
    placed: Placements, preferences: Preferences, topic: int
) -> Iterator[Order]:
    """Yield the order in which each run has the documents of a topic."""
    start, end = preferences.offsets[topic : topic + 2].tolist()
    for ranking in range(topic, placed.n_rankings, len(preferences.topics)):
        own = slice(*placed.offsets[ranking : ranking + 2].tolist())
        yield Order.of(placed.entries[own] - start, end - start)


def _counts(
    between: Relation, above: Integers, below: Integers, n_retrieved: int
) -> Integers:
    """Count preferences [groups x retrieved of the two x fulfilled]."""
    n_found = (above < n_retrieved).astype(np.int64) + (below < n_retrieved)
    kinds = (between.groups * 3 + n_found) * 2 + (above < below)
    n_groups = len(between.offsets) - 1
    return np.bincount(kinds, minlength=6 * n_groups).reshape(n_groups, 3, 2)


def _limited(
    groups: list[View], between: Relation, order: Order, counts: Integers
) -> Integers:
    found = np.empty((len(groups), 2, 2), dtype=np.int64)
    for number, view in enumerate(groups):
        own = slice(*between.offsets[number : number + 2].tolist())
        above, below = order.places[between.better[own]], order.places[between.worse[own]]
        for variant in (0, 1):
            pass
    return found
