"""A group of several chains, which leave some documents uncompared."""

from typing import NamedTuple, Self

import numpy as np

from evaluation.core.preferences.order import Order
from trec.arrays import Floats, Integers, Mask


class PartialOrder(NamedTuple):
    """Documents, numbered within the topic, with their levels, and every preference between two of them."""

    documents: Integers
    levels: Floats
    better: Integers
    worse: Integers

    @classmethod
    def of(
        cls, documents: Integers, levels: Floats, better: Integers, worse: Integers
    ) -> Self:
        """Take the documents of all chains, of several levels the one named last, and add preferences that follow.

        They follow by transitivity: a over b in one chain, b over c in another.
        """
        distinct, lasts = np.unique(documents[::-1], return_index=True)
        n = len(distinct)
        reaches = np.zeros((n, n), dtype=np.float32)
        reaches[np.searchsorted(distinct, better), np.searchsorted(distinct, worse)] = 1
        n_known = 0
        while n_known < (n_found := int(np.count_nonzero(reaches))):
            n_known = n_found
            reaches = ((reaches + reaches @ reaches) > 0).astype(np.float32)
        rows, columns = np.nonzero(reaches)
        return cls(distinct, levels[::-1][lasts], distinct[rows], distinct[columns])

    @property
    def is_other(self) -> Mask:
        """Whether it is judged not relevant, per document."""
        is_other: Mask = self.levels == 0
        return is_other

    def pairs(self) -> tuple[Integers, Integers]:
        """Return every preference: the better documents and the worse."""
        return self.better, self.worse

    def counts(self, order: Order) -> Integers:
        """Count the preferences by how many of their documents are retrieved and whether they are fulfilled, [3 x 2]."""
        better, worse = order.places[self.better], order.places[self.worse]
        n_found = (better < order.n_retrieved).astype(np.int64)
        n_found += worse < order.n_retrieved
        is_fulfilled = (better < worse) & (n_found > 0)
        return np.bincount(2 * n_found + is_fulfilled, minlength=6).reshape(3, 2)

    def limited(self, order: Order, *, retrieved_only: bool) -> tuple[int, int]:
        """Count preferences fulfilled, and all, when more documents are not relevant than relevant.

        Of those not relevant only the first R in the order count, R being the number of the relevant, retrieved or not
        (m_prefs_avgjg_Rnonrel.c, m_prefs_avgjg_Rnonrel_ret.c).
        """
        others = order.places[self.documents[self.is_other]]
        left_out = np.zeros(len(order.places), dtype=np.bool_)
        left_out[np.sort(others)[int((self.levels > 0).sum()) :]] = True
        is_out = left_out[order.places]
        kept = ~(is_out[self.better] | is_out[self.worse])
        own = self._replace(better=self.better[kept], worse=self.worse[kept])
        counted = own.counts(order)[2 if retrieved_only else 0 :]
        return int(counted[:, 1].sum()), int(counted.sum())
