"""Pairs of documents, and which share of the preferences between the two an order fulfils."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from evaluation.core.preferences.groups import Group
from evaluation.core.preferences.order import Order
from trec.arrays import Floats, Integers


class DocumentPairs(NamedTuple):
    """The pairs of documents that a preference is between: `n_first` of `n_all` preferences are for the first of the two."""

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
        _, places, numbers = np.unique(keys, return_index=True, return_inverse=True)
        n_pairs = len(places)
        n_first = np.bincount(numbers[better < worse], minlength=n_pairs)
        n_all = np.bincount(numbers, minlength=n_pairs)
        return cls(first[places], second[places], n_first, n_all)

    def shares(self, order: Order) -> tuple[Floats, Integers]:
        """Return which share is fulfilled, added up over pairs with at least n documents retrieved, and how many have n, 0 to 2.

        It is added up pair after pair in the order of the places, those with both retrieved first, as trec_eval does
        (m_prefs_pair.c).
        """
        first, second = order.places[self.first], order.places[self.second]
        upper, lower = np.minimum(first, second), np.maximum(first, second)
        n_found = (upper < order.n_retrieved).astype(np.int64)
        n_found += lower < order.n_retrieved
        n_pairs = np.bincount(n_found, minlength=3)
        fulfilled = np.where(first < second, self.n_first, self.n_all - self.n_first)
        rows = np.lexsort((lower, upper, -n_found))[: n_pairs[1:].sum()]
        sums = np.concatenate([[0.0], np.cumsum(fulfilled[rows] / self.n_all[rows])])
        return sums[[-1, -1, n_pairs[2]]], n_pairs


def shares_of_one(counts: Integers) -> tuple[Floats, Integers]:
    """Return the same when there is one group alone, from its counts: every pair then has one preference."""
    fulfilled = counts[:, 1].astype(np.float64)
    return np.cumsum(fulfilled[::-1])[::-1], counts.sum(axis=1)
