"""Running totals."""

import numpy as np

from trec.arrays import Floats, Integers


def running_totals(values: Floats, offsets: Integers) -> Floats:
    """Return the running totals of each group's values, added one after the other; group i is `offsets[i]:offsets[i + 1]`.

    >>> running_totals(np.array([1.0, 2.0, 5.0, 1.0]), np.array([0, 2, 2, 4])).tolist()
    [1.0, 3.0, 5.0, 6.0]
    """
    counts = np.diff(offsets)
    totals = np.empty(len(values))
    width = 1
    # Groups of similar length are rows of one table. One running total over all groups, minus what came before each, would
    # round differently.
    while width < 2 * counts.max(initial=0):
        groups = np.flatnonzero((counts > width // 2) & (counts <= width))
        columns = np.arange(width)
        inside = columns < counts[groups, None]
        rows = (offsets[groups, None] + columns)[inside]
        table = np.zeros(inside.shape)
        table[inside] = values[rows]
        totals[rows] = np.cumsum(table, axis=1)[inside]
        width *= 2
    return totals
