"""Preferences counted as if a group had judged as many documents not relevant as relevant."""

from typing import NamedTuple

import numpy as np

from campaigns.core.preferences import Preferences
from evaluation.core.arrays import Floats, Integers
from evaluation.core.preferences.order import Order, Ranked


class View(NamedTuple):
    """The documents of a group with their levels, numbered from 0 in the topic; of one chain, the highest level first."""

    documents: Integers
    levels: Floats
    is_chain: bool


def views(preferences: Preferences, topic: int) -> list[View]:
    """Return the view of each group of a topic."""
    first, last = preferences.group_offsets[topic : topic + 2].tolist()
    start = int(preferences.offsets[topic])
    return [_view(preferences, group, start) for group in range(first, last)]


def _view(preferences: Preferences, group: int, start: int) -> View:
    chains = preferences.chain_offsets[group : group + 2]
    own = slice(*preferences.line_offsets[chains].tolist())
    documents = preferences.documents[own] - start
    levels = preferences.levels[own]
    if chains[1] - chains[0] == 1:
        return View(documents, levels, is_chain=True)
    # Of a document that is in several chains the level in the last one counts.
    documents, lasts = np.unique(documents[::-1], return_index=True)
    return View(documents, levels[::-1][lasts], is_chain=False)


def limited(
    view: View, order: Order, ranked: Ranked, *, among_retrieved: bool
) -> tuple[int, int]:
    """Return how many preferences of a group are fulfilled, and how many there are, with R documents that are not relevant.

    R is the number of relevant documents: of those judged, or among the retrieved. Where fewer are not relevant, as many as are lacking count as
    ranked below every relevant document; where more are, only the first R of them in rank order count. In a group of one chain all
    documents, those not relevant too, are then compared with these first R, as trec_eval compares them
    (m_prefs_avgjg_Rnonrel.c, m_prefs_avgjg_Rnonrel_ret.c).
    """
    is_retrieved = order.places[view.documents] < order.n_retrieved
    is_relevant = view.levels > 0
    is_other = view.levels <= 0 if view.is_chain else view.levels == 0
    if among_retrieved:
        n_relevant = int((is_relevant & is_retrieved).sum())
        lacking = n_relevant - int((is_other & is_retrieved).sum())
    else:
        n_relevant = int(is_relevant.sum())
        lacking = n_relevant - int(is_other.sum())
    kept = ranked.n_found == 2 if among_retrieved else np.ones(len(ranked.better), dtype=np.bool_)
    if lacking >= 0:
        more = lacking * int((is_relevant & is_retrieved).sum()), lacking * int(is_relevant.sum())
    elif view.is_chain: ...
    return 0, 0
