"""The groups of a topic's preferences, and how many of their preferences a run fulfills.

A group of one chain is counted level by level. A group of several chains leaves some documents
uncompared and is counted preference by preference.
"""

from typing import NamedTuple, Self

import numpy as np

from cleverdon.trec.arrays import Floats, Integers, Mask, begins, ranges
from cleverdon.trec.preferences import Preferences


class RunOrder(NamedTuple):
    """A run's order of a topic's documents: `positions[d]` of document d, from 0, int64.

    The `n_retrieved` documents that were retrieved come first, in rank order, then the others by
    docno.
    """

    positions: Integers
    n_retrieved: int

    @classmethod
    def of(cls, retrieved: Integers, n_documents: int) -> Self:
        """Take the retrieved documents, in rank order."""
        is_missed = np.ones(n_documents, dtype=np.bool_)
        is_missed[retrieved] = False
        positions = np.empty(n_documents, dtype=np.int64)
        positions[retrieved] = np.arange(len(retrieved))
        positions[is_missed] = np.arange(len(retrieved), n_documents)
        return cls(positions, len(retrieved))


class Chain(NamedTuple):
    """A topic's documents and their levels, highest first; each is preferred to all lower ones."""

    documents: Integers
    levels: Floats

    @property
    def is_other(self) -> Mask:
        """Whether it is judged not relevant, per document."""
        return self.levels <= 0

    def pairs(self) -> tuple[Integers, Integers]:
        """Return every preference: the better documents and the worse."""
        steps = self._steps()
        n_documents = len(steps)
        lower = np.cumsum(np.bincount(steps))[steps]
        rows, _ = ranges(lower, np.full(n_documents, n_documents))
        return np.repeat(self.documents, n_documents - lower), self.documents[rows]

    def counts(self, order: RunOrder) -> Integers:
        """Count the preferences by their documents retrieved, and whether fulfilled, [3 x 2]."""
        if not len(self.documents):
            return np.zeros((3, 2), dtype=np.int64)
        positions, steps = order.positions[self.documents], self._steps()
        is_retrieved = positions < order.n_retrieved
        ranked = steps[np.lexsort((positions,))][: is_retrieved.sum()]
        n_steps = steps[-1] + 1
        retrieved = np.bincount(ranked, minlength=n_steps)
        missed = np.bincount(steps[~is_retrieved], minlength=n_steps)
        n_both, n_neither = _between(retrieved), _between(missed)
        n_one = _between(retrieved + missed) - n_both - n_neither
        implied = int(retrieved @ (missed.sum() - np.cumsum(missed)))
        rises = _rises(ranked)
        return np.array([[n_neither, 0], [n_one - implied, implied], [n_both - rises, rises]])

    def limited(self, order: RunOrder, *, retrieved_only: bool) -> tuple[int, int]:
        """Count preferences fulfilled, and all, when more documents are not relevant than relevant.

        Of those on the lowest level only the first R count, R being the number of the relevant;
        trec_eval compares every document with them, those on the lowest level too
        (m_prefs_avgjg_Rnonrel.c, m_prefs_avgjg_Rnonrel_ret.c).
        """
        positions = order.positions[self.documents]
        is_retrieved = positions < order.n_retrieved
        seen = is_retrieved if retrieved_only else np.ones_like(is_retrieved)
        is_lowest = self.levels == self.levels[-1]
        n_relevant = int(((self.levels > 0) & seen).sum())
        first = np.sort(positions[is_lowest & seen])[:n_relevant]
        above = np.searchsorted(np.sort(positions[is_retrieved]), first)
        others = type(self)(self.documents[~is_lowest], self.levels[~is_lowest])
        n_fulfilled, n_all = _fulfilled(others, order, retrieved_only=retrieved_only)
        return n_fulfilled + int(above.sum()), n_all + len(first) * int(seen.sum())

    def _steps(self) -> Integers:
        """Return the number of each document's level, from 0 for the highest."""
        return np.cumsum(begins(self.levels)) - 1


def _between(sizes: Integers) -> int:
    """Count pairs of documents on different levels, from the sizes of the levels."""
    return int(sizes.sum() ** 2 - (sizes**2).sum()) // 2


def _rises(steps: Integers) -> int:
    """Count the pairs in which the higher level comes first, from the levels in rank order."""
    total = 0
    for step in np.unique(steps)[1:].tolist():
        n_better = np.cumsum(steps < step)
        total += int(n_better[steps == step].sum())
    return total


class PartialOrder(NamedTuple):
    """A topic's documents with their levels, and every preference between two of them."""

    documents: Integers
    levels: Floats
    better: Integers
    worse: Integers

    @classmethod
    def of(cls, chains: list[Chain]) -> Self:
        """Take the documents of all chains, each with its last level.

        Preferences that follow are added: a over b in one chain, b over c in another.
        """
        documents = np.concatenate([chain.documents for chain in chains])
        levels = np.concatenate([chain.levels for chain in chains])
        pairs = np.concatenate([chain.pairs() for chain in chains], axis=1)
        distinct, lasts = np.unique(documents[::-1], return_index=True)
        reaches = np.zeros((len(distinct), len(distinct)), dtype=np.float32)
        reaches[tuple(np.searchsorted(distinct, pairs))] = 1
        n_known = 0
        while n_known < (n_reached := int(np.count_nonzero(reaches))):
            n_known = n_reached
            reaches = ((reaches + reaches @ reaches) > 0).astype(np.float32)
        better, worse = np.nonzero(reaches)
        return cls(distinct, levels[::-1][lasts], distinct[better], distinct[worse])

    @property
    def is_other(self) -> Mask:
        """Whether it is judged not relevant, per document."""
        is_other: Mask = self.levels == 0
        return is_other

    def pairs(self) -> tuple[Integers, Integers]:
        """Return every preference: the better documents and the worse."""
        return self.better, self.worse

    def counts(self, order: RunOrder) -> Integers:
        """Count the preferences as `Chain.counts` does."""
        better, worse = order.positions[self.better], order.positions[self.worse]
        n_retrieved = (better < order.n_retrieved).astype(np.int64)
        n_retrieved += worse < order.n_retrieved
        is_fulfilled = (better < worse) & (n_retrieved > 0)
        return np.bincount(2 * n_retrieved + is_fulfilled, minlength=6).reshape(3, 2)

    def limited(self, order: RunOrder, *, retrieved_only: bool) -> tuple[int, int]:
        """Count preferences fulfilled, and all, when more documents are not relevant than relevant.

        Of those not relevant only the first R in the order count, R being the number of the
        relevant, retrieved or not (m_prefs_avgjg_Rnonrel.c, m_prefs_avgjg_Rnonrel_ret.c).
        """
        others = order.positions[self.documents[self.is_other]]
        left_out = np.zeros(len(order.positions), dtype=np.bool_)
        left_out[np.sort(others)[int((self.levels > 0).sum()) :]] = True
        is_out = left_out[order.positions]
        kept = ~(is_out[self.better] | is_out[self.worse])
        rest = self._replace(better=self.better[kept], worse=self.worse[kept])
        return _fulfilled(rest, order, retrieved_only=retrieved_only)


Group = Chain | PartialOrder


def groups(preferences: Preferences, topic: int) -> list[Group]:
    """Return the groups of a topic, documents numbered from 0."""
    first, last = preferences.group_offsets[topic : topic + 2].tolist()
    return [_group(preferences, group, topic) for group in range(first, last)]


def _group(preferences: Preferences, group: int, topic: int) -> Group:
    first, last = preferences.chain_offsets[group : group + 2].tolist()
    chains = [_chain(preferences, chain, topic) for chain in range(first, last)]
    return chains[0] if len(chains) == 1 else PartialOrder.of(chains)


def _chain(preferences: Preferences, chain: int, topic: int) -> Chain:
    lines = slice(*preferences.line_offsets[chain : chain + 2].tolist())
    documents = preferences.documents[lines] - preferences.offsets[topic]
    return Chain(documents, preferences.levels[lines])


def limited(group: Group, order: RunOrder, *, retrieved_only: bool) -> tuple[int, int]:
    """Count preferences fulfilled, and all, as if R of the group's documents were not relevant.

    R is the number of relevant documents; with `retrieved_only` only retrieved documents count. If
    fewer documents are not relevant, the lacking ones count as ranked below all others; if more
    are, only the first R count.
    """
    is_relevant = group.levels > 0
    is_retrieved = order.positions[group.documents] < order.n_retrieved
    seen = is_retrieved if retrieved_only else np.ones_like(is_retrieved)
    lacking = int((is_relevant & seen).sum()) - int((group.is_other & seen).sum())
    if lacking < 0:
        return group.limited(order, retrieved_only=retrieved_only)
    n_fulfilled, n_all = _fulfilled(group, order, retrieved_only=retrieved_only)
    n_above = int((is_relevant & is_retrieved).sum())
    return n_fulfilled + lacking * n_above, n_all + lacking * int(is_relevant.sum())


def _fulfilled(group: Group, order: RunOrder, *, retrieved_only: bool) -> tuple[int, int]:
    """Count the fulfilled preferences of a group, and all."""
    counted = group.counts(order)[2 if retrieved_only else 0 :]
    return int(counted[:, 1].sum()), int(counted.sum())
