"""Randomized Tukey HSD: the means of all pairs of runs against the largest difference by chance.

If runs differ by chance, their values on a topic could as well have been each other's (Carterette
2012, Multiple testing in statistical analysis of systems-based IR experiments; Sakai 2012). Unlike
max-T it has one critical difference for all pairs, and takes all runs to vary alike.
"""

import numpy as np

from cleverdon.significance.draws import shuffles
from cleverdon.significance.pairs import ALPHA, SEED, critical, reached
from cleverdon.significance.randomization import SAME
from cleverdon.trec.arrays import Floats

N_DRAWS = 1999


def tukey(
    values: Floats, *, alpha: float = ALPHA, n_draws: int = N_DRAWS, seed: int = SEED
) -> tuple[Floats, float]:
    """Return the p-value of each pair, [runs x runs], and the difference that a pair must exceed.

    `values` are [runs x topics], without gaps, of at least one run.
    """
    n_runs, n_topics = values.shape
    means = values.mean(axis=1)
    # In order on each topic, so that the order of runs changes nothing.
    by_topic = np.sort(values, axis=0).T
    ranges = []
    for labels in shuffles(n_runs, n_draws, seed, n_topics):
        sums = np.zeros((len(labels), n_runs))
        for topic, row in enumerate(by_topic):
            sums += row[labels[:, topic]]
        ranges.append(np.ptp(sums, axis=1) / n_topics)
    largest = np.concatenate(ranges)
    differences = np.abs(means[:, None] - means)
    return reached(largest, differences - SAME), critical(largest, alpha)
