"""Studentized intervals: against the bootstrap written out, and by how often they hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from significance.draws import resamples
from significance.studentized import N_DRAWS, studentized

# Values of a run on many topics, drawn by chance, and their true mean.
SCORES = {
    "AP": (lambda rng, shape: rng.beta(1.2, 2.8, shape), 0.3),
    "low AP": (lambda rng, shape: rng.beta(0.6, 2.4, shape), 0.2),
    "high AP": (lambda rng, shape: rng.beta(6, 1, shape), 6 / 7),
    "P@10": (lambda rng, shape: rng.binomial(10, rng.beta(1.2, 1.8, shape)) / 10, 0.4),
    "RR": (lambda rng, shape: 1 / rng.geometric(0.5, shape), np.log(2)),
    "70 % zeros": (lambda rng, shape: rng.beta(1.2, 2.8, shape) * (rng.random(shape) >= 0.7), 0.09),
}
FROM_TEN, FROM_TWENTY_FIVE = ("AP", "low AP", "high AP", "P@10"), ("RR", "70 % zeros")
CASES = [
    *((name, n) for name in FROM_TEN for n in (10, 25, 50)),
    *((name, n) for name in FROM_TWENTY_FIVE for n in (25, 50)),
]


def held(name: str, n_topics: int, n_samples: int, seed: int) -> tuple[float, float]:
    """The shares of samples with an interval, and of these with one that holds the true mean."""
    draw, mean = SCORES[name]
    lower, upper = studentized(draw(np.random.default_rng(seed), (n_samples, n_topics)))
    has_any = np.isfinite(lower)
    return has_any.mean(), ((lower <= mean) & (mean <= upper))[has_any].mean()


@pytest.mark.parametrize(("name", "n_topics"), CASES)
def test_ninety_five_of_a_hundred_intervals_hold_the_mean(name, n_topics):
    has_any, share = held(name, n_topics, 2000, seed=n_topics)
    assert has_any > 0.97
    assert 0.925 <= share <= 0.985, "2,000 samples tell it to half a percent"


@pytest.mark.deep
@pytest.mark.parametrize(("name", "n_topics"), CASES)
def test_from_93_to_98_of_a_hundred_hold_in_many_more_samples(name, n_topics):
    _, share = held(name, n_topics, 20_000, seed=1000 + n_topics)
    assert 0.93 <= share <= 0.98


@given(st.lists(st.sampled_from([0, 0.1, 0.25, 0.5, 1]), min_size=3, max_size=8), st.integers(0, 9))
def test_the_ends_are_those_written_out(values, seed):
    n, n_draws = len(values), 199
    own = np.array(values, dtype=float)
    mean, error, far = own.mean(), own.std() / np.sqrt(n), []
    for drawn in np.concatenate([*resamples(n, n_draws, seed)]):
        again = own[drawn]
        if np.ptp(again) == 0:
            sign = np.sign(round(again.mean() - mean, 12))
            far.append(sign * np.inf if sign else 0)
        else:
            far.append((again.mean() - mean) / (again.std() / np.sqrt(n)))
    far = sorted(far)
    found = np.ravel(studentized(own[None], n_draws=n_draws, seed=seed))
    if error < 1e-12 or not np.isfinite([far[4], far[194]]).all():
        assert np.isnan(found).all()
    else:
        ends = [mean - far[194] * error, mean - far[4] * error]
        assert found == pytest.approx(ends, abs=1e-9)


def test_each_row_is_as_if_it_were_alone():
    values = np.random.default_rng(2).random((5, 12))
    together = np.stack(studentized(values))
    alone = np.hstack([np.stack(studentized(row[None])) for row in values])
    assert together == pytest.approx(alone)
    assert np.stack(studentized(values + 7)) == pytest.approx(together + 7)
    assert N_DRAWS % 2


def test_topics_that_are_alike_or_too_few_have_no_interval():
    given = np.array([[0.5] * 10, [0.0] * 9 + [1.0], list(np.arange(10) / 10)])
    lower, upper = studentized(given)
    assert np.isnan(lower).tolist() == np.isnan(upper).tolist() == [True, True, False]
    for n_topics in (0, 1):
        assert np.isnan(studentized(np.ones((3, n_topics)))).all()


def test_many_rows_are_computed_in_parts(monkeypatch):
    values = np.random.default_rng(3).random((7, 9))
    whole = np.stack(studentized(values))
    monkeypatch.setattr("significance.studentized.AT_ONCE", 2 * N_DRAWS)
    assert np.stack(studentized(values)) == pytest.approx(whole)
