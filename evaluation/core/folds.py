"""A run's aggregate on folds of topics."""

from typing import NamedTuple

import numpy as np

from measures.family import Measure
from measures.scoring.scores import terms_of
from significance.draws import splitmix64
from trec.arrays import Floats, Integers

FOLDS = (2, 5, 10)
SEED = 1


class Fold(NamedTuple):
    """A fold of `n_topics` that count, and the aggregate on them; NaN without a topic."""

    n_topics: int
    value: float


def fold_of(n_topics: int, k: int) -> Integers:
    """Return the fold of each topic, from 0: drawn by SEED, and as equal in size as can be.

    It is the same for all runs on these topics.
    """
    drawn = splitmix64(SEED, n_topics).tolist()
    folds = np.empty(n_topics, dtype=np.int64)
    folds[sorted(range(n_topics), key=drawn.__getitem__)] = np.arange(n_topics) % k
    return folds


def folds_of(values: Floats, k: int, measure: Measure) -> list[Fold]:
    """Return the aggregate of `values` [topics] on each fold; topics with NaN do not count.

    A sum or a micro-average has no folds.
    """
    terms = terms_of(values, measure)
    if terms is None:
        return []
    folds, known = fold_of(len(values), k), ~np.isnan(values)
    each = (terms.values[known & (folds == fold)] for fold in range(k))
    return [
        Fold(len(own), float(terms.of_mean(own.mean())) if len(own) else np.nan) for own in each
    ]


def spread_of(folds: list[Fold]) -> float:
    """Return the standard deviation of the aggregates, by n - 1; NaN of fewer than two."""
    known = [each.value for each in folds if each.n_topics]
    return float(np.std(known, ddof=1)) if len(known) > 1 else np.nan
