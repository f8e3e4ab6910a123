"""All pairs by shuffled labels and by steps of max-T, against loops written out."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cleverdon.significance.draws import all_signs, shuffles, signs
from cleverdon.significance.pairs import all_pairs, is_exact
from cleverdon.significance.tukey import tukey
from tests.core.significance.test_places import ROW, t

N_DRAWS = 79


def test_shuffles_are_orders_and_each_is_as_likely():
    drawn = np.concatenate([*shuffles(3, 6000, 1, 2)])
    assert drawn.shape == (6000, 2, 3)
    assert (np.sort(drawn, axis=2) == np.arange(3)).all()
    _, counts = np.unique(drawn.reshape(-1, 3) @ [9, 3, 1], return_counts=True)
    assert len(counts) == 6
    assert abs(counts - 2000).max() < 5 * 2000**0.5
    assert (np.concatenate([*shuffles(3, 6000, 2, 2)]) != drawn).any()


@given(st.lists(ROW, min_size=2, max_size=4))
def test_tukey_is_as_by_loops(rows):
    values, n = np.array(rows), len(rows)
    ordered = np.sort(values, axis=0)
    ranges = []
    for draw in np.concatenate([*shuffles(n, N_DRAWS, 1, 6)]):
        means = [
            np.mean([ordered[draw[topic][run], topic] for topic in range(6)]) for run in range(n)
        ]
        ranges.append(max(means) - min(means))
    p_values, critical = tukey(values, n_draws=N_DRAWS)
    for i, one in enumerate(values):
        for j, other in enumerate(values):
            observed = abs(one.mean() - other.mean())
            count = sum(each >= observed - 1e-9 for each in ranges)
            p = (count + 1) / (N_DRAWS + 1)
            assert p_values[i, j] == pytest.approx(p)
            assert (p <= 0.05 + 1e-9) == (observed > critical)


@pytest.mark.parametrize("n_draws", [63, 40])
@given(rows=st.lists(ROW, min_size=2, max_size=4))
@example(rows=[[0.0, 0.0, 0.0, 0.2, 0.2, 0.8], [0.0, 0.2, 0.2, 0.2, 0.4, 0.2]])
def test_p_values_of_all_pairs_are_as_by_loops(rows, n_draws):
    """With 63 draws or more all 64 ways to give six topics signs are made, and no seed matters."""
    values = np.array(rows)
    draws = (
        all_signs(6) if n_draws == 63 else np.concatenate([*signs(6, n_draws, 1), np.ones((1, 6))])
    )
    found = all_pairs(values, n_draws=n_draws).p
    # A pair is a difference up and one down; each is held against those that are no larger.
    ways = [(i, j) for i in range(len(values)) for j in range(len(values)) if i != j]
    drawn = {(i, j): [t(draw * (values[i] - values[j])) for draw in draws] for i, j in ways}
    seen = {(i, j): t(values[i] - values[j]) for i, j in ways}
    alone = {}
    for way in ways:
        held = zip(*(drawn[each] for each in ways if seen[each] <= seen[way] + 1e-6), strict=True)
        n_reached = sum(max(0, *each) >= seen[way] - 1e-6 for each in held)
        alone[way] = n_reached / len(draws)
    for i, j in ways:
        size = abs(seen[i, j])
        expected = max(alone[each] for each in ways if seen[each] >= size - 1e-6)
        assert found[i, j] == pytest.approx(expected)
    assert is_exact(6, n_draws) == (n_draws == 63)


def test_the_order_of_runs_changes_nothing():
    values = np.random.default_rng(3).random((9, 20)) + np.linspace(0, 0.6, 9)[:, None]
    order = np.random.default_rng(4).permutation(9)
    for how in (lambda given: all_pairs(given).p, lambda given: tukey(given)[0]):
        assert how(values[order]) == pytest.approx(how(values)[np.ix_(order, order)])


@pytest.mark.slow
def test_of_many_campaigns_of_equal_runs_few_tell_two_apart():
    rng = np.random.default_rng(6)
    n, wrong = 600, np.zeros(2)
    for seed in range(n):
        equal = rng.random(15) * 0.6 + rng.exponential(0.15, (6, 15))
        found, _ = tukey(equal, n_draws=199, seed=seed)
        wrong += found.min() <= 0.05, all_pairs(equal, n_draws=199, seed=seed).p.min() <= 0.05
    assert (wrong <= n * 0.05 + 2.5 * (n * 0.05 * 0.95) ** 0.5).all()
    assert wrong[0] > n * 0.02  # it is a test at all
