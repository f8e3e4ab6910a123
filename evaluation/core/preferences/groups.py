"""The groups of a topic: a chain each, or several that leave documents uncompared."""

import numpy as np

from evaluation.core.preferences.chain import Chain
from evaluation.core.preferences.order import Order
from evaluation.core.preferences.partial_order import PartialOrder
from trec.preferences import Preferences

Group = Chain | PartialOrder


def groups(preferences: Preferences, topic: int) -> list[Group]:
    """Return the groups of a topic, documents numbered from 0."""
    first, last = preferences.group_offsets[topic : topic + 2].tolist()
    return [_group(preferences, group, topic) for group in range(first, last)]


def _group(preferences: Preferences, group: int, topic: int) -> Group:
    first, last = preferences.chain_offsets[group : group + 2].tolist()
    chains = [_chain(preferences, chain, topic) for chain in range(first, last)]
    if len(chains) == 1:
        return chains[0]
    pairs = [chain.pairs() for chain in chains]
    return PartialOrder.of(
        np.concatenate([chain.documents for chain in chains]),
        np.concatenate([chain.levels for chain in chains]),
        np.concatenate([better for better, _ in pairs]),
        np.concatenate([worse for _, worse in pairs]),
    )


def _chain(preferences: Preferences, chain: int, topic: int) -> Chain:
    own = slice(*preferences.line_offsets[chain : chain + 2].tolist())
    documents = preferences.documents[own] - preferences.offsets[topic]
    return Chain(documents, preferences.levels[own])


def limited(group: Group, order: Order, *, retrieved_only: bool) -> tuple[int, int]:
    """Count the preferences of a group that are fulfilled, and all, as if R documents were not relevant.

    R is the number of the relevant documents; with `retrieved_only` documents that are not retrieved count for nothing. Where
    too few are not relevant, those lacking count as ranked below all others; where too many are, only the first R count.
    """
    is_relevant = group.levels > 0
    is_retrieved = order.places[group.documents] < order.n_retrieved
    seen = is_retrieved if retrieved_only else np.ones_like(is_retrieved)
    lacking = int((is_relevant & seen).sum()) - int((group.is_other & seen).sum())
    if lacking < 0:
        return group.limited(order, retrieved_only=retrieved_only)
    counted = group.counts(order)[2 if retrieved_only else 0 :]
    n_found = int((is_relevant & is_retrieved).sum())
    return (
        int(counted[:, 1].sum()) + lacking * n_found,
        int(counted.sum()) + lacking * int(is_relevant.sum()),
    )
