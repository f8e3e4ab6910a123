"""Places of runs as sets, and classes of runs that cannot be told apart."""

from typing import NamedTuple

import numpy as np

from trec.arrays import Floats, Integers, Mask

MOST_CLASSES = 8


class Places(NamedTuple):
    """The best and the worst place of each run, from 1, [runs] each."""

    best: Integers
    worst: Integers


def place_sets(better: Mask) -> Places:
    """Return the places that each run may have, from which runs are better than which others.

    If `better` is simultaneous at a level, as `pairs.told_apart` is, so are the sets: all hold
    the true places at once with that probability, ties included (Mogstad, Romano, Shaikh and
    Wilhelm 2024, Inference for ranks). Places from a bootstrap of ranks do not near ties.
    """
    n_runs = len(better)
    return Places(1 + better.sum(axis=0), n_runs - better.sum(axis=1))


def classes(better: Mask, strength: Floats) -> Integers:
    """Return the class of each run, from 1, [runs].

    The strongest run opens the first: all that it is not told apart from are in it. The strongest
    of the others opens the next. Each class is compared with the run that opened it, so that
    neighbors do not chain. The last of at most eight has the rest.
    """
    found = np.zeros(len(strength), dtype=np.int64)
    order = np.array(sorted(range(len(strength)), key=(-strength).__getitem__), dtype=np.int64)
    for number in range(1, MOST_CLASSES + 1):
        left = order[found[order] == 0]
        if not len(left):
            break
        is_last = number == MOST_CLASSES
        found[left if is_last else left[~better[left[0], left]]] = number
    return found
