"""Intervals against a bootstrap written out, and scipy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cleverdon.significance import draws
from cleverdon.significance.draws import resamples, signs, splitmix64
from cleverdon.significance.intervals import intervals, places

VALUES = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.25, 1.0]), min_size=1, max_size=8)


def plainly(seed: int, n: int) -> list[int]:
    """SplitMix64 in Python's integers, as its authors have it in C."""
    numbers, state, mask = [], seed, 2**64 - 1
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        numbers.append(z ^ (z >> 31))
    return numbers


@given(st.integers(0, 2**64 - 1), st.integers(0, 20))
def test_draws_are_splitmix64(seed, after):
    assert splitmix64(seed, 5, after).tolist() == plainly(seed, after + 5)[after:]


def test_a_seed_that_is_none_is_refused():
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="A seed is a whole number from 0"):
            splitmix64(seed, 1)


def test_few_draws_at_a_time_are_the_same_draws(monkeypatch):
    made = [np.concatenate([*each(7, 50, 3)]) for each in (resamples, signs)]
    monkeypatch.setattr(draws, "AT_ONCE", 30)
    again = [np.concatenate([*each(7, 50, 3)]) for each in (resamples, signs)]
    assert [*map(np.ndarray.tolist, made)] == [*map(np.ndarray.tolist, again)]


@given(VALUES, st.integers(0, 99), st.sampled_from([0.05, 0.3]), st.sampled_from([1, 2, 40]))
def test_the_interval_is_trec_evals(values, seed, alpha, n_draws):
    """Of the sorted means of resamples, those at floor(a/2 B) and ceil((1 - a/2) B)."""
    n = len(values)
    numbers = iter(plainly(seed, n * n_draws))
    means = sorted(sum(values[next(numbers) % n] for _ in range(n)) / n for _ in range(n_draws))
    low = int(alpha / 2 * n_draws)
    high = min(-int(-(1 - alpha / 2) * n_draws // 1), n_draws - 1)
    found = intervals(np.array([values]), alpha=alpha, n_draws=n_draws, seed=seed)
    assert np.ravel(found) == pytest.approx([means[low], means[high]])


def test_all_rows_have_the_same_topics_drawn():
    one = np.random.default_rng(4).random(30)
    lower, upper = intervals(np.stack([one, one, one + 1]), seed=5)
    assert lower[0] == lower[1] == pytest.approx(lower[2] - 1)
    assert (lower < upper).all()
    expected = stats.bootstrap([one], np.mean, n_resamples=4000, method="percentile", rng=1)
    assert (lower[0], upper[0]) == pytest.approx(expected.confidence_interval, abs=0.02)


def test_a_geometric_mean_few_topics_and_none():
    logarithms = np.log([[0.1, 0.4, 0.9]])
    lower, upper = intervals(logarithms, transform=np.exp)
    assert 0.1 <= lower[0] <= (0.1 * 0.4 * 0.9) ** (1 / 3) <= upper[0] <= 0.9 + 1e-12
    assert np.ravel(intervals(np.array([[0.5], [0.7]]))).tolist() == [0.5, 0.7, 0.5, 0.7]
    assert np.isnan(intervals(np.empty((2, 0)))).all()
    with pytest.raises(ValueError, match="at least one draw"):
        intervals(np.ones((1, 3)), n_draws=0)
    assert places(1000, 0.05) == (25, 975)
