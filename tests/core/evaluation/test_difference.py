"""The difference of two runs: its interval and p."""

import numpy as np
import pytest
from scipy import stats

from evaluation.core.difference import FEWEST_DRAWS, MOST_DRAWS, difference_of
from significance.intervals import intervals


def test_a_difference_has_an_interval_a_p_and_a_size():
    values = np.random.default_rng(1).normal(0.1, 0.3, 40)
    found = difference_of(values)
    expected = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=MOST_DRAWS, rng=2
    )
    assert found.p == pytest.approx(expected.pvalue, abs=0.01)
    assert (found.n_draws, found.is_exact) == (MOST_DRAWS, False)
    (low,), (high,) = intervals(values[None])
    assert found.low == pytest.approx(low, abs=1e-12)
    assert found.high == pytest.approx(high, abs=0.02)  # trec_eval takes the draw after it
    turned = difference_of(-values)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=1e-12)
    assert found.low < values.mean() < found.high
    assert found.d_z == pytest.approx(values.mean() / values.std(ddof=1))


def test_of_many_topics_fewer_signs_are_drawn():
    assert difference_of(np.random.default_rng(2).normal(0, 1, 7000)).n_draws == FEWEST_DRAWS


def test_few_topics_are_tested_exactly():
    assert difference_of(np.array([1.0, 1.0, 1.0])).p == 2 / 8
    assert difference_of(np.array([1.0, 1.0, 1.0]))[3:] == (8, True, None)


def test_runs_that_never_differ_are_not_tested():
    assert difference_of(np.zeros(30)) is None
    assert difference_of(np.array([])) is None
