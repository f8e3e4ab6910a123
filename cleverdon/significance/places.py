"""Places of runs as sets, and classes of runs that cannot be told apart."""

from typing import NamedTuple

import numpy as np

from cleverdon.trec.arrays import Integers, Mask

MOST_CLASSES = 8


class Places(NamedTuple):
    """The best and the worst place of each run, from 1, [runs] each."""

    best: Integers
    worst: Integers


def place_sets(better: Mask) -> Places:
    """Return the places that each run may have, from which runs are better than which others.

    If `better` is simultaneous at a level, as `pairs.told_apart` is, so are the sets: all hold
    the true places at once with that probability, ties included (Mogstad, Romano, Shaikh and
    Wilhelm 2024, Inference for ranks), on the condition that `pairs` names. Quantiles of
    bootstrapped ranks do not hold near ties.
    """
    n_runs = len(better)
    return Places(1 + better.sum(axis=0), n_runs - better.sum(axis=1))


def classes(better: Mask) -> Integers:
    """Return the class of each run, from 1, [runs].

    The first class has the runs that no other is better than: those whose best place is 1. Without
    them the same makes the next class, so that no two runs of a class are told apart, and each run
    is worse than one of the class before. The last of at most eight has the rest.
    """
    found = np.zeros(len(better), dtype=np.int64)
    for number in range(1, MOST_CLASSES + 1):
        left = found == 0
        is_beaten = better[left].any(axis=0) & (number < MOST_CLASSES)
        found[left & ~is_beaten] = number
    return found
