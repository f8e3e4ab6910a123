"""Intervals of a mean over topics by the percentile bootstrap (Efron 1979), as trec_eval 11."""

from collections.abc import Callable

import numpy as np

from cleverdon.significance.draws import AT_ONCE, resamples
from cleverdon.trec.arrays import Floats, Integers

ALPHA, N_DRAWS, SEED = 0.05, 1000, 1
# trec_eval 11 takes no more extreme levels than these.
LEAST_ALPHA, MOST_ALPHA = 0.0001, 0.9999


def intervals(
    values: Floats,
    *,
    alpha: float = ALPHA,
    n_draws: int = N_DRAWS,
    seed: int = SEED,
    transform: Callable[[Floats], Floats] = lambda means: means,
) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of an interval of each row's mean, [rows] each.

    `values` are [rows x topics], without gaps; all rows have the same topics drawn. `transform`
    makes the aggregate of a mean, such as `numpy.exp` of a mean of logarithms. The interval of
    one topic is its value, that of none is NaN. ValueError without a draw.
    """
    n_rows, n_topics = values.shape
    if n_draws < 1:
        raise ValueError("An interval needs at least one draw.")
    if n_topics < 2:
        means = transform(values[:, 0]) if n_topics else np.full(n_rows, np.nan)
        return means, means.copy()
    drawn_topics = resamples(n_topics, n_draws, seed)
    counts = np.concatenate([topic_counts(each, n_topics) for each in drawn_topics])
    low, high = places(n_draws, alpha)
    lower, upper = np.empty(n_rows), np.empty(n_rows)
    step = max(AT_ONCE // n_draws, 1)
    for start in range(0, n_rows, step):
        rows = slice(start, start + step)
        drawn = np.sort(transform(values[rows] @ counts.T / n_topics), axis=1)
        lower[rows], upper[rows] = drawn[:, low], drawn[:, high]
    return lower, upper


def places(n_draws: int, alpha: float) -> tuple[int, int]:
    """Return which of the sorted draws are the ends of the interval, from 0."""
    tail = min(max(alpha, LEAST_ALPHA), MOST_ALPHA) / 2
    last = n_draws - 1
    return min(int(np.floor(tail * n_draws)), last), min(int(np.ceil((1 - tail) * n_draws)), last)


def topic_counts(drawn: Integers, n_topics: int) -> Floats:
    """Return how often each topic was drawn, [draws x topics]."""
    n_draws = len(drawn)
    cells = (np.arange(n_draws)[:, None] * n_topics + drawn).ravel()
    counts = np.bincount(cells, minlength=n_draws * n_topics)
    return counts.reshape(n_draws, n_topics).astype(np.float64)
