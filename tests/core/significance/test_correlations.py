"""Coefficients of two orders, against scipy and loops written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, rankdata

from cleverdon.significance.correlations import rbo, tau_ap, tau_b

VALUES = st.integers(0, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 6).map(float), min_size=n, max_size=n)] * 2)
)


def ap_of(x, y) -> float:
    """One direction of tau-AP-b: runs in the groups of y, from the second on."""
    terms = []
    for i in range(len(x)):
        above = [j for j in range(len(x)) if y[j] > y[i]]
        if above:
            terms.append(sum(x[j] > x[i] for j in above) / len(above))
    return 2 * np.mean(terms) - 1


@given(VALUES)
def test_with_ties(both):
    first, second = map(np.array, both)
    is_tied = min((len(set(values)) for values in both), default=0) < 2
    if is_tied:
        assert tau_b(first, second) is tau_ap(first, second) is None
    else:
        assert tau_b(first, second) == pytest.approx(kendalltau(first, second).statistic)
        expected = (ap_of(first, second) + ap_of(second, first)) / 2
        assert tau_ap(first, second) == pytest.approx(expected)
    if len(first) < 2:
        assert rbo(first, second) is None
        return
    ranks = [rankdata(-values, method="min") for values in (first, second)]
    p, summed, agreement = 0.7, 0.0, 0.0
    for depth in range(1, len(first) + 1):
        one, other = ({*np.flatnonzero(each <= depth)} for each in ranks)
        agreement = 2 * len(one & other) / (len(one) + len(other))
        summed += p**depth * agreement
    assert rbo(first, second, p) == pytest.approx(
        agreement * p ** len(first) + (1 - p) / p * summed
    )


def test_without_ties():
    """Tau-AP as Yilmaz, Aslam and Robertson define it; three places, the first two exchanged."""
    truth, found = np.array([3.0, 2.0, 1.0]), np.array([2.0, 3.0, 1.0])
    assert tau_ap(found, truth) == pytest.approx(2 / 2 * (0 / 1 + 2 / 2) - 1)
    assert tau_ap(truth, truth) == tau_b(truth, truth) == 1
    assert tau_ap(truth, -truth) == tau_b(truth, -truth) == -1
    assert rbo(truth, truth) == pytest.approx(1)
    # Depths 1 to 3 agree by 0, 1 and 1.
    assert rbo(truth, found) == pytest.approx(0.9**3 + 0.1 / 0.9 * (0.9**2 + 0.9**3))
