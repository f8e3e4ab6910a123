"""The order in which a run has the documents that preferences are about."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from evaluation.core.placements import Placements
from trec.arrays import Integers
from trec.preferences import Preferences


class Order(NamedTuple):
    """The place of each of a topic's documents, from 0: those retrieved in rank order, then the others by docno."""

    places: Integers
    n_retrieved: int


def orders(placed: Placements, preferences: Preferences, topic: int) -> Iterator[Order]:
    """Yield the order in which each run has the documents of a topic."""
    start, end = preferences.offsets[topic : topic + 2].tolist()
    for ranking in range(topic, placed.n_rankings, len(preferences.topics)):
        own = slice(*placed.offsets[ranking : ranking + 2].tolist())
        yield _order(placed.entries[own] - start, end - start)


def _order(retrieved: Integers, n_documents: int) -> Order:
    is_missed = np.ones(n_documents, dtype=np.bool_)
    is_missed[retrieved] = False
    places = np.empty(n_documents, dtype=np.int64)
    places[retrieved] = np.arange(len(retrieved))
    places[is_missed] = np.arange(len(retrieved), n_documents)
    return Order(places, len(retrieved))


def rising_ties(placements: Placements) -> Placements:
    """Return rankings with documents of the same score by docno ascending, none tied any more.

    trec_eval ranks them so for preferences alone (form_prefs_counts.c), and by docno descending everywhere else, as the one
    ranking of this project does. It must come before a cut.
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
