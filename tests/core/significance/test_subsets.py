"""Swaps, stability and topics needed, against loops, statsmodels and published figures."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau
from statsmodels.stats.power import TTestPower

from cleverdon.significance.draws import shuffles
from cleverdon.significance.power import topics_needed
from cleverdon.significance.subsets import deviation, stability, swaps

GRADES = st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0])
VALUES = st.lists(st.lists(GRADES, min_size=7, max_size=7), min_size=2, max_size=5).map(np.array)
EDGES, N_DRAWS = [0.0, 0.1, 0.2, 0.4], 9


def orders(n_topics):
    return np.concatenate([*shuffles(n_topics, N_DRAWS, 1)])[:, 0]


@given(VALUES)
def test_swaps_are_as_by_loops(values):
    n, swapped = np.zeros(4, dtype=int), np.zeros(4, dtype=int)
    for order in orders(7):
        for one, other in combinations(values, 2):
            here, there = (
                round((one - other)[order[at]].sum(), 9) for at in (slice(3), slice(3, 6))
            )
            if here:
                bin_ = max(n for n, edge in enumerate(EDGES) if abs(here) / 3 >= edge - 1e-9)
                n[bin_] += 1
                swapped[bin_] += here * there < 0
    assert swaps(values, EDGES, n_draws=N_DRAWS).tolist() == [n.tolist(), swapped.tolist()]


@given(VALUES)
def test_stability_is_as_by_loops(values):
    whole = values.mean(axis=1).round(4)
    if len(set(whole)) == 1:
        return
    taus = [
        [kendalltau(values[:, order[:n]].mean(axis=1).round(4), whole).statistic for n in (2, 4, 7)]
        for order in orders(7)
    ]
    taus = np.sort(np.nan_to_num(np.array(taus)), axis=0)
    found = stability(values, [2, 4, 7], lambda means: means.round(4), n_draws=N_DRAWS)
    assert found == pytest.approx(np.stack([taus.mean(axis=0), taus[0], taus[8]]))
    assert found[:, 2] == pytest.approx([1, 1, 1])


def test_topics_needed_are_the_published_ones():
    assert [topics_needed(d) for d in (0.5, 0.3, 0.2, 0.1)] == [34, 90, 199, 787]
    for d in (0.07, 0.35, 1.2):
        n = topics_needed(d)
        theirs = TTestPower().solve_power(effect_size=d, alpha=0.05, power=0.8)
        assert n - 1 < theirs <= n
    assert topics_needed(np.inf) == 2
    assert topics_needed(1e-4) == pytest.approx(7.849e8, rel=1e-3)


@given(VALUES)
def test_the_deviation_is_that_of_all_pairs(values):
    variances = [np.var(one - other, ddof=1) for one, other in combinations(values, 2)]
    assert deviation(values) == pytest.approx(np.mean(variances) ** 0.5)
