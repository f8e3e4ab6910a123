"""INST: a user model that adapts to the gain so far."""

import numpy as np

from cleverdon.measures.expected_reciprocal_rank import products_above
from cleverdon.measures.family import Family
from cleverdon.measures.gains import running_totals
from cleverdon.measures.inputs.evidence import Evidence, Hits
from cleverdon.measures.user_models import DEPTH, MAX_REL, T, graded
from cleverdon.trec.arrays import Floats, Integers, Ints, ratio

# B(2n) of the Bernoulli numbers, the terms of the trigamma function's series.
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
LARGE = 12.0


def inst(evidence: Evidence, *, T: float, max_rel: int) -> Floats:  # noqa: N803
    """INST: users go on after rank i with the chance ((i + T + T' - 1) / (i + T + T'))^2.

    T' is T less the gain so far. From a hit at rank n down to the next one T' does not change: with
    a = T + T' the chances multiply to ((n + a - 1) / (i + a - 1))^2 at rank i, and their sum is a
    difference of two trigamma values.
    """
    hits, grades = graded(evidence, max_rel)
    gained = running_totals(grades, hits.offsets).astype(np.int64)
    # n + a is 2T plus a multiple of 1 / max_rel: few enough values for a table.
    missed = hits.ranks * max_rel - gained
    sums = trigamma(2 * T + np.arange(DEPTH * max_rel + 1) / max_rel)
    here = 2 * T + missed / max_rel - 1
    above = _above(hits, here, 2 * T)
    steps = (above / (above + hits.ranks - _above(hits, hits.ranks, 1))) ** 2
    read = products_above(hits, steps) * steps
    next_missed = missed + (_next_ranks(hits) - hits.ranks) * max_rel
    n_below = hits.total(read * here**2 * (sums[missed] - sums[next_missed]))
    n_first = 4 * T**2 * (sums[0] - sums[_first_ranks(hits) * max_rel])
    return ratio(hits.total(read * grades / max_rel), n_first + n_below)


def _above(hits: Hits, values: Floats | Ints, first: float) -> Floats:
    """Return the value of the hit above each, `first` for the first of a ranking."""
    shifted = np.concatenate([[first], values[:-1]])[: len(hits)]
    return np.where(hits.ordinals == 1, first, shifted)


def _next_ranks(hits: Hits) -> Integers:
    """Return the rank of the hit below each, DEPTH for the last of a ranking."""
    next_ranks = np.append(hits.ranks, DEPTH)[1:]
    is_last = hits.ordinals == hits.count()[hits.rankings]
    return np.where(is_last, DEPTH, next_ranks)


def _first_ranks(hits: Hits) -> Integers:
    """Return the rank of the first hit of each ranking, DEPTH without one."""
    ranks = np.full(hits.n_rankings, DEPTH)
    is_first = np.flatnonzero(hits.ordinals == 1)
    ranks[hits.rankings[is_first]] = hits.ranks[is_first]
    return ranks


def trigamma(values: Floats) -> Floats:
    """Return the sum of 1 / (x + n)^2 over n from 0 on, for positive x.

    Source: Abramowitz and Stegun 1964, 6.4.6 and 6.4.12.
    """
    # scipy.special.polygamma(1, x), which the tests compare; scipy is not a dependency of
    # production.
    values, sums = values.copy(), np.zeros(len(values))
    while len(small := np.flatnonzero(values < LARGE)):
        sums[small] += values[small] ** -2
        values[small] += 1
    squares = values**-2
    series = np.zeros(len(values))
    for number in reversed(BERNOULLI):
        series = (series + number) * squares
    return sums + 1 / values + squares / 2 + series / values


INST = Family(
    name="INST",
    formula=inst,
    definition="Gain expected from each document read, where the gain is grade / max_rel and "
    "users go on after rank i with the chance ((i + T + T' - 1) / (i + T + T'))^2, in which T' is "
    f"T less the gain so far; to rank {DEPTH} at most.",
    source="Moffat, Bailey, Scholer and Thomas 2015; cwl_eval",
    parameters=(T, MAX_REL),
    reads_level=False,
)
