import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.core.simulation import ERROR_RATES, grade_probabilities, simulated_grade

grades = st.integers(0, 3)
rates = st.floats(0, 1)


@given(grades, rates)
def test_the_true_grade_has_what_the_error_rate_leaves(true, rate):
    chances = grade_probabilities(true, rate)
    assert chances.sum() == pytest.approx(1)
    assert chances.min() >= 0
    assert chances[true] == 1 - rate


@given(grades, st.floats(0.01, 1))
def test_near_errors_are_likelier_than_far_ones(true, rate):
    chances = grade_probabilities(true, rate)
    wrong = [grade for grade in range(4) if grade != true]
    for near in wrong:
        for far in wrong:
            if abs(near - true) < abs(far - true):
                assert chances[near] > chances[far]


@pytest.mark.parametrize("true", range(4))
def test_the_errors_made_are_as_frequent_as_stated(true):
    n, rng = 2000, np.random.default_rng(17)
    given = [simulated_grade(true, ERROR_RATES["ben"], rng) for _ in range(n)]
    shares = np.bincount(given, minlength=4) / n
    chances = grade_probabilities(true, ERROR_RATES["ben"])
    # Five standard errors of a share: a right simulation fails one in a million times.
    assert (np.abs(shares - chances) <= 5 * np.sqrt(chances * (1 - chances) / n)).all()


@given(grades, st.integers(0, 2**32))
def test_who_never_errs_gives_the_true_grade_and_who_always_errs_another(true, seed):
    assert simulated_grade(true, 0, np.random.default_rng(seed)) == true
    assert simulated_grade(true, 1, np.random.default_rng(seed)) != true


@given(grades, grades, rates)
def test_one_number_is_drawn_whatever_the_grade(first, second, rate):
    one, other = np.random.default_rng(5), np.random.default_rng(5)
    simulated_grade(first, rate, one)
    simulated_grade(second, rate, other)
    assert one.random() == other.random()


@pytest.mark.parametrize("true", [-1, 4])
def test_a_grade_outside_the_scale_is_refused(true):
    with pytest.raises(ValueError, match="0 to 3"):
        grade_probabilities(true, 0.1)


@pytest.mark.parametrize("rate", [-0.1, 1.1, math.nan])
def test_an_error_rate_that_is_no_probability_is_refused(rate):
    with pytest.raises(ValueError, match="error rate"):
        grade_probabilities(0, rate)
