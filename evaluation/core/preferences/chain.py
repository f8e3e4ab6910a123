"""A group whose documents are all on levels of one chain."""

from typing import NamedTuple, Self

import numpy as np

from evaluation.core.preferences.order import Order
from trec.arrays import Floats, Integers, Mask, ranges


class Chain(NamedTuple):
    """Documents, numbered within the topic, with their levels, the highest first: each is preferred to all on lower ones."""

    documents: Integers
    levels: Floats

    @property
    def is_other(self) -> Mask:
        """Whether it is judged not relevant, per document."""
        return self.levels <= 0

    def pairs(self) -> tuple[Integers, Integers]:
        """Return every preference: the better documents and the worse."""
        steps = self._steps()
        n_on_level = np.bincount(steps)
        n_documents = len(steps)
        lower = np.cumsum(n_on_level)[steps]
        at, _ = ranges(lower, np.full(n_documents, n_documents))
        return np.repeat(self.documents, n_documents - lower), self.documents[at]

    def counts(self, order: Order) -> Integers:
        """Count the preferences by how many of their documents are retrieved and whether they are fulfilled, [3 x 2].

        Counted level by level, not preference by preference.
        """
        if not len(self.documents):
            return np.zeros((3, 2), dtype=np.int64)
        places, steps = order.places[self.documents], self._steps()
        is_retrieved = places < order.n_retrieved
        ranked = steps[np.lexsort((places,))][: is_retrieved.sum()]
        n_steps = steps[-1] + 1
        found = np.bincount(ranked, minlength=n_steps)
        missed = np.bincount(steps[~is_retrieved], minlength=n_steps)
        n_both, n_neither = _between(found), _between(missed)
        n_one = _between(found + missed) - n_both - n_neither
        implied = int(found @ (missed.sum() - np.cumsum(missed)))
        rises = _rises(ranked)
        return np.array(
            [[n_neither, 0], [n_one - implied, implied], [n_both - rises, rises]]
        )

    def limited(self, order: Order, *, retrieved_only: bool) -> tuple[int, int]:
        """Count preferences fulfilled, and all, when more documents are not relevant than relevant.

        Of those on the lowest level only the first R count, R being the number of the relevant; trec_eval compares every
        document with them, those on the lowest level too (m_prefs_avgjg_Rnonrel.c, m_prefs_avgjg_Rnonrel_ret.c).
        """
        places = order.places[self.documents]
        is_retrieved = places < order.n_retrieved
        seen = is_retrieved if retrieved_only else np.ones_like(is_retrieved)
        is_lowest = self.levels == self.levels[-1]
        n_relevant = int(((self.levels > 0) & seen).sum())
        first = np.sort(places[is_lowest & seen])[:n_relevant]
        above = np.searchsorted(np.sort(places[is_retrieved]), first)
        others = self._without(is_lowest).counts(order)
        counted = others[2:] if retrieved_only else others
        n_fulfilled = int(counted[:, 1].sum() + above.sum())
        return n_fulfilled, int(counted.sum()) + len(first) * int(seen.sum())

    def _without(self, left_out: Mask) -> Self:
        return type(self)(self.documents[~left_out], self.levels[~left_out])

    def _steps(self) -> Integers:
        """Return the number of each document's level, 0 the highest."""
        steps = np.zeros(len(self.levels), dtype=np.int64)
        np.cumsum(self.levels[1:] != self.levels[:-1], out=steps[1:])
        return steps


def _between(sizes: Integers) -> int:
    """Count pairs of documents on different levels, from how many each has."""
    return int(sizes.sum() ** 2 - (sizes**2).sum()) // 2


def _rises(steps: Integers) -> int:
    """Count pairs of which the first stands on a higher level than the second, from the levels in rank order."""
    total = 0
    for step in np.unique(steps)[1:].tolist():
        n_better = np.cumsum(steps < step)
        total += int(n_better[steps == step].sum())
    return total
