"""Intervals of a mean over topics by the studentized bootstrap (Efron and Tibshirani 1993).

The ends come from how far means of resamples are from the mean in their own standard errors, so
that skew and few topics are in them. Where the percentile bootstrap of trec_eval 11 holds the true
mean of 10 topics in 84 to 91 of 100 samples, these hold it in 94 to 97. A resample of few values
has a standard error by chance near 0; a twentieth of its variance is therefore that of the topics.
Where many topics have the same score, these take more topics.
"""

from collections.abc import Sequence

import numpy as np

from cleverdon.significance.draws import AT_ONCE, resamples
from cleverdon.significance.intervals import ALPHA, SEED, topic_counts
from cleverdon.significance.randomization import SAME
from cleverdon.trec.arrays import Floats

# An odd number, so that 2.5 % and 97.5 % of the draws and the data are whole ones.
N_DRAWS = 1999
# Which part of the variance of a resample is that of the topics. By simulation.
SHRUNK = 0.05
# Up to which share of pairs of topics with the same score so many topics suffice: AP and P@10 have
# up to a fifth, reciprocal ranks and scores that are 70 % zeros up to a half. By simulation.
TOPICS_WANTED = ((0.25, 10), (0.6, 25), (0.75, 50), (1, 100))
# Where there are only two scores, as of hit or miss, means have few values and ends jump.
TOPICS_OF_TWO = 50


def studentized(
    values: Floats, *, alpha: float = ALPHA, n_draws: int = N_DRAWS, seed: int = SEED
) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of an interval of each row's mean, [rows] each.

    `values` are [rows x topics], without gaps; all rows have the same topics drawn. The ends are
    NaN where there is no interval: of topics that are all equal.
    """
    n_rows, n_topics = values.shape
    ends = np.full((2, n_rows), np.nan)
    if n_topics < 2:
        return ends[0], ends[1]
    drawn = resamples(n_topics, n_draws, seed)
    shares = np.concatenate([topic_counts(each, n_topics) for each in drawn]) / n_topics
    tail = int(np.floor(alpha / 2 * (n_draws + 1))) - 1
    step = max(AT_ONCE // n_draws, 1)
    for start in range(0, n_rows, step):
        rows = slice(start, start + step)
        means = values[rows].mean(axis=1)
        ends[:, rows] = means + _errors(values[rows] - means[:, None], shares, tail)
    return ends[0], ends[1]


def tied(values: Floats) -> float:
    """Return the share of pairs of topics, of two and more, that have the same value.

    >>> tied(np.array([1, 0.5, 1, 1])), tied(np.array([0.2, 0.4, 0.3]))
    (0.5, 0.0)
    """
    # Equal scores that were summed in another order differ in their last digits.
    counts, n = np.unique(values.round(9), return_counts=True)[1], len(values)
    return float((counts * (counts - 1)).sum() / (n * (n - 1)))


def topics_wanted(rows: Sequence[Floats]) -> int:
    """Return how many topics an interval takes, told from the values of all runs that vary.

    Those of one run are too few to tell.
    """
    shares = [share for share in map(tied, rows) if share < 1]
    mean = float(np.mean(shares)) if shares else 1
    wanted = next(n for most, n in TOPICS_WANTED if mean <= most)
    has_two = len(np.unique(np.concatenate([*rows, []]).round(9))) <= 2
    return max(wanted, TOPICS_OF_TWO) if has_two else wanted


def _errors(centered: Floats, shares: Floats, tail: int) -> Floats:
    """Return how far below and above the mean the ends are, [2 x rows]; NaN without an interval."""
    variance = (centered**2).mean(axis=1)
    means = centered @ shares.T
    within = np.maximum(centered**2 @ shares.T - means**2, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = means / np.sqrt((1 - SHRUNK) * within + SHRUNK * variance[:, None])
    low, high = np.partition(far, (tail, far.shape[1] - 1 - tail), axis=1)[:, [tail, -1 - tail]].T
    spread = np.sqrt(variance)
    return np.where(spread > SAME, np.stack([-high * spread, -low * spread]), np.nan)
