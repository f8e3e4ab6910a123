"""Studentized intervals: against the bootstrap written out, and how many topics they take.

How often they hold the true mean is in `tests/core/evaluation/test_coverage.py`.
"""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cleverdon.significance.draws import resamples
from cleverdon.significance.studentized import N_DRAWS, studentized, tied, topics_wanted


@given(st.lists(st.sampled_from([0, 0.1, 0.25, 0.5, 1]), min_size=2, max_size=8), st.integers(0, 9))
@example([0.1, 0, 0.25, 0.1, 0], 0)  # a resample of 0.1 alone has a spread by rounding
def test_the_ends_are_those_written_out(values, seed):
    n, n_draws = len(values), 199
    own = np.array(values, dtype=float)
    mean, error = own.mean(), own.std() / np.sqrt(n)
    far = []
    for drawn in np.concatenate([*resamples(n, n_draws, seed)]) if error > 1e-12 else ():
        again = own[drawn]
        shrunk = np.sqrt(0.95 * again.var() + 0.05 * own.var()) / np.sqrt(n)
        far.append((again.mean() - mean) / shrunk)
    found = np.ravel(studentized(own[None], n_draws=n_draws, seed=seed))
    if error < 1e-12:
        assert np.isnan(found).all()
    else:
        far = sorted(far)
        assert found == pytest.approx([mean - far[194] * error, mean - far[4] * error], abs=1e-9)


def test_each_row_is_as_if_it_were_alone():
    values = np.random.default_rng(2).random((5, 12))
    together = np.stack(studentized(values))
    alone = np.hstack([np.stack(studentized(row[None])) for row in values])
    assert together == pytest.approx(alone)
    assert np.stack(studentized(values + 7)) == pytest.approx(together + 7)
    assert N_DRAWS % 2


def test_topics_that_are_all_alike_have_no_interval():
    given = np.array([[0.5] * 10, [0.1] * 10, [0.0] * 9 + [1.0], list(np.arange(10) / 10)])
    lower, upper = studentized(given)
    assert np.isnan(lower).tolist() == np.isnan(upper).tolist() == [True, True, False, False]
    for n_topics in (0, 1):
        assert np.isnan(studentized(np.ones((3, n_topics)))).all()


def test_many_rows_are_computed_in_parts(monkeypatch):
    values = np.random.default_rng(3).random((7, 9))
    whole = np.stack(studentized(values))
    monkeypatch.setattr("cleverdon.significance.studentized.AT_ONCE", 2 * N_DRAWS)
    assert np.stack(studentized(values)) == pytest.approx(whole)


@given(st.lists(st.sampled_from([0, 0.1, 0.25, 1 / 3, 0.5, 1]), min_size=2, max_size=9))
def test_pairs_of_topics_with_the_same_score_are_counted(values):
    pairs = [one == other for one, other in combinations(values, 2)]
    assert tied(np.array(values)) == pytest.approx(sum(pairs) / len(pairs))
    nearly = np.array(values) + np.arange(len(values)) * 1e-16
    assert tied(nearly) == tied(np.array(values))


def zeros(n, n_topics=100):
    """Values of a run that are all different but for so many that are 0."""
    return np.r_[np.zeros(n), np.arange(1, n_topics - n + 1) / n_topics]


def test_the_more_topics_have_the_same_score_the_more_it_takes():
    found = [topics_wanted([zeros(n)]) for n in (0, 50, 51, 77, 78, 86, 87, 99, 100)]
    assert found == [10, 10, 25, 25, 50, 50, 100, 100, 100]


def test_it_is_told_from_the_mean_of_the_runs_that_vary():
    assert topics_wanted([]) == topics_wanted([zeros(100)] * 2) == 100
    assert topics_wanted([zeros(0), zeros(77), zeros(100)]) == 25
    assert topics_wanted([zeros(0), zeros(60), zeros(100)]) == 10


def test_hit_or_miss_takes_fifty():
    half = np.arange(100) % 2
    assert topics_wanted([half, half * 1.0]) == 50
    assert topics_wanted([half, half / 2]) == 25
    assert topics_wanted([half * 0.1 * 3, half * 0.3]) == 50, "the same but for rounding"
