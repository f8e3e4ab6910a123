"""Totals so far."""

import numpy as np

from trec.arrays import Floats, Integers


def running_totals(values: Floats, offsets: Integers) -> Floats:
    """Return the sum of each group's values down to each, added one after the other; group i is `offsets[i]:offsets[i + 1]`.

    >>> running_totals(np.array([1.0, 2.0, 5.0, 1.0]), np.array([0, 2, 2, 4])).tolist()
    [1.0, 3.0, 5.0, 6.0]
    """
    counts = np.diff(offsets)
    totals = np.empty(len(values))
    width = 1
    # Groups of about the same length stand below each other in a table: a sum over all groups at once, less what came
    # before, would round otherwise.
    while width < 2 * counts.max(initial=0):
        groups = np.flatnonzero((counts > width // 2) & (counts <= width))
        columns = np.arange(width)
        inside = columns < counts[groups, None]
        places = (offsets[groups, None] + columns)[inside]
        table = np.zeros(inside.shape)
        table[inside] = values[places]
        totals[places] = np.cumsum(table, axis=1)[inside]
        width *= 2
    return totals
