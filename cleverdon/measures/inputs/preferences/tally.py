"""Count the preferences that runs fulfill."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.preferences.groups import Group, RunOrder, groups, limited
from cleverdon.measures.inputs.preferences.universe import PreferenceDetail
from cleverdon.trec.arrays import Floats, Integers, owners
from cleverdon.trec.preferences import Preferences


@dataclass(frozen=True, eq=False)
class Tally:
    """The preferences that runs fulfill; `topic_of` is the topic of each group.

    `counts[r, g, n, f]` counts the preferences of group g that run r fulfills (f = 1) or does not
    (0), and of whose two documents it retrieved n. `limited[r, g, v]` counts those fulfilled, and
    all, as if as many documents were not relevant as are relevant, among all documents (v = 0) and
    among those retrieved (1). `shares[r, t, n]` (floats) adds up, over the pairs of documents of
    topic t with at least n retrieved, which share of the preferences between the two is fulfilled;
    `pairs[r, t, n]` counts those with n retrieved.
    """

    topic_of: Integers
    counts: Integers
    limited: Integers
    shares: Floats
    pairs: Integers


def tally(evidence: Evidence) -> Tally:
    """Count once for all measures; ValueError when the universe is not one of preferences."""
    detail = evidence.universe.detailed(PreferenceDetail, "These judgments are not preferences.")
    return evidence.once(
        Tally, lambda: _counted(rising_ties(evidence.placements), detail.preferences)
    )


def rising_ties(placements: Placements) -> Placements:
    """Return rankings with tied documents by docno ascending, and without ties.

    trec_eval does this for preferences alone (form_prefs_counts.c); elsewhere it breaks ties by
    docno descending, as `cleverdon.trec.ranking` does. A cut must come after this.
    """
    ranks = placements.firsts + placements.lasts - placements.ranks
    order = np.lexsort((ranks, placements.rankings))
    ranks, entries = ranks[order], placements.entries[order]
    return Placements(placements.offsets, entries, ranks, ranks, ranks, placements.n_retrieved)


def _counted(placed: Placements, preferences: Preferences) -> Tally:
    n_topics, n_groups = len(preferences.topics), len(preferences.chain_offsets) - 1
    n_runs = placed.n_rankings // max(1, n_topics)
    result = Tally(
        owners(np.diff(preferences.group_offsets)),
        np.empty((n_runs, n_groups, 3, 2), dtype=np.int64),
        np.empty((n_runs, n_groups, 2, 2), dtype=np.int64),
        np.empty((n_runs, n_topics, 3)),
        np.empty((n_runs, n_topics, 3), dtype=np.int64),
    )
    for topic in range(n_topics):
        _count_topic(placed, preferences, topic, result)
    return result


def _count_topic(placed: Placements, preferences: Preferences, topic: int, result: Tally) -> None:
    """Fill in the counts of a topic."""
    views, first = groups(preferences, topic), int(preferences.group_offsets[topic])
    pairs = DocumentPairs.of(views) if len(views) > 1 else None
    for run, order in enumerate(_orders(placed, preferences, topic)):
        for number, group in enumerate(views, first):
            result.counts[run, number] = group.counts(order)
            result.limited[run, number] = [
                limited(group, order, retrieved_only=retrieved_only)
                for retrieved_only in (False, True)
            ]
        result.shares[run, topic], result.pairs[run, topic] = (
            pairs.shares(order) if pairs else _shares_of_one(result.counts[run, first])
        )


def _orders(placed: Placements, preferences: Preferences, topic: int) -> Iterator[RunOrder]:
    """Yield the order in which each run has the documents of a topic."""
    start, end = preferences.offsets[topic : topic + 2].tolist()
    for ranking in range(topic, placed.n_rankings, len(preferences.topics)):
        rows = slice(*placed.offsets[ranking : ranking + 2].tolist())
        yield RunOrder.of(placed.entries[rows] - start, end - start)


class DocumentPairs(NamedTuple):
    """Pairs of documents; `n_first` of the `n_all` preferences between two prefer the first."""

    first: Integers
    second: Integers
    n_first: Integers
    n_all: Integers

    @classmethod
    def of(cls, groups: Sequence[Group]) -> Self:
        """Gather the preferences of all groups of a topic."""
        better, worse = np.concatenate([group.pairs() for group in groups], axis=1)
        first, second = np.minimum(better, worse), np.maximum(better, worse)
        keys = first * (second.max(initial=0) + 1) + second
        _, rows, numbers = np.unique(keys, return_index=True, return_inverse=True)
        n_first = np.bincount(numbers[better < worse], minlength=len(rows))
        n_all = np.bincount(numbers, minlength=len(rows))
        return cls(first[rows], second[rows], n_first, n_all)

    def shares(self, order: RunOrder) -> tuple[Floats, Integers]:
        """Return the shares fulfilled, summed over pairs with at least n retrieved, n from 0 to 2.

        Also return the number of pairs with n. The order of summing, pairs with both retrieved
        first, is trec_eval's (m_prefs_pair.c).
        """
        first, second = order.positions[self.first], order.positions[self.second]
        upper, lower = np.minimum(first, second), np.maximum(first, second)
        n_retrieved = (upper < order.n_retrieved).astype(np.int64)
        n_retrieved += lower < order.n_retrieved
        n_pairs = np.bincount(n_retrieved, minlength=3)
        fulfilled = np.where(first < second, self.n_first, self.n_all - self.n_first)
        rows = np.lexsort((lower, upper, -n_retrieved))[: n_pairs[1:].sum()]
        sums = np.concatenate([[0.0], np.cumsum(fulfilled[rows] / self.n_all[rows])])
        return sums[[-1, -1, n_pairs[2]]], n_pairs


def _shares_of_one(counts: Integers) -> tuple[Floats, Integers]:
    """Return the same for a topic of one group, where each pair has one preference."""
    fulfilled = counts[:, 1].astype(np.float64)
    return np.cumsum(fulfilled[::-1])[::-1], counts.sum(axis=1)
