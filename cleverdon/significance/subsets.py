"""What fewer topics would have said: swaps between halves, and the order of the board."""

from collections.abc import Callable, Sequence

import numpy as np

from cleverdon.significance.correlations import tau_b
from cleverdon.significance.draws import shuffles
from cleverdon.significance.intervals import places
from cleverdon.trec.arrays import Floats, Integers

N_DRAWS, SEED = 200, 1
# Of the draws, the part outside of the band.
OUTSIDE = 0.1


def swaps(
    values: Floats, edges: Sequence[float], *, n_draws: int = N_DRAWS, seed: int = SEED
) -> Integers:
    """Count pairs of runs by their difference on half of the topics, and those that swap.

    `values` are [runs x topics], of at least two topics, without gaps. Row 0 counts the pairs whose
    absolute difference is in each bin, which begins at its edge, row 1 those the other way round on
    another half (Voorhees and Buckley 2002, The effect of topic set size on retrieval experiment
    error). A pair equal on the first half is left out; one equal on the other is not a swap.
    """
    n_topics = values.shape[1]
    half = n_topics // 2
    one, other = np.triu_indices(len(values), 1)
    counts = np.zeros((2, len(edges)), dtype=np.int64)
    for order in _orders(n_topics, n_draws, seed):
        means = (values[:, part].mean(axis=1) for part in (order[:half], order[half : 2 * half]))
        # Rounded, as equal means may differ in their last digits.
        here, there = (np.round(each[one] - each[other], 12) for each in means)
        bins = np.searchsorted(edges, np.abs(here), side="right") - 1
        for row, chosen in enumerate((here != 0, here * there < 0)):
            counts[row] += np.bincount(bins[chosen], minlength=len(edges))
    return counts


def stability(
    values: Floats,
    sizes: Sequence[int],
    board: Callable[[Floats], Floats],
    *,
    n_draws: int = N_DRAWS,
    seed: int = SEED,
) -> Floats:
    """Return tau-b of random subsets of topics with all: mean, 5 % and 95 % of draws, [3 x sizes].

    `values` are [runs x topics]; `board` makes of means what runs are ordered by, which are not all
    equal. A subset on which all runs tie has tau 0.
    """
    whole, ends = board(values.mean(axis=1)), np.array(sizes)
    taus = np.zeros((n_draws, len(sizes)))
    for n, order in enumerate(_orders(values.shape[1], n_draws, seed)):
        means = board(np.cumsum(values[:, order], axis=1)[:, ends - 1] / ends)
        taus[n] = [tau_b(column, whole) or 0.0 for column in means.T]
    return _band(taus)


def _band(drawn: Floats) -> Floats:
    """Return the mean and both ends of what was drawn, [draws x sizes]."""
    ends = np.sort(drawn, axis=0)[[*places(len(drawn), OUTSIDE)]]
    return np.vstack([drawn.mean(axis=0), ends])


def _orders(n_topics: int, n_draws: int, seed: int) -> list[Integers]:
    return [order for each in shuffles(n_topics, n_draws, seed) for order in each[:, 0]]


def deviation(values: Floats) -> float:
    """Return the standard deviation of paired differences, of all pairs of runs together.

    `values` are [runs x topics], of at least two runs and topics. It is the root of the mean
    variance, which is twice that of the residuals of runs and topics (Sakai 2016).
    """
    n_runs, n_topics = values.shape
    residuals = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    return float(np.sqrt(2 * (residuals**2).sum() / ((n_runs - 1) * (n_topics - 1))))
