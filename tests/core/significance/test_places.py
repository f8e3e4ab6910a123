"""Runs told apart, their places and classes: against loops written out, and over many campaigns."""

from functools import partial
from itertools import permutations
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.significance.draws import all_signs, signs
from cleverdon.significance.pairs import told_apart, told_apart_from
from cleverdon.significance.places import MOST_CLASSES, classes, place_sets

N_DRAWS, ALPHA = 59, 0.1
ROW = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.4, 0.8]), min_size=6, max_size=6)


def t(differences) -> float:
    """Student's t; None where runs are equal. It is infinite where all differences are the same."""
    deviation = differences.std(ddof=1)
    if not np.abs(differences).max() > 0:
        return 0.0
    return (
        differences.mean() / deviation * len(differences) ** 0.5
        if deviation > 1e-12
        else (np.sign(differences.mean()) * np.inf)
    )


def by_loops(values, of=None, draws=None) -> set[tuple[int, int]]:
    """Step-down max-T over all ordered pairs, or those of one run; the observed signs are added to
    the draws.
    """
    pairs = [each for each in permutations(range(len(values)), 2) if of is None or of in each]
    draws = np.concatenate([*signs(values.shape[1], N_DRAWS, 1)]) if draws is None else draws
    observed = {(i, j): t(values[i] - values[j]) for i, j in pairs}
    drawn = {(i, j): [t(each * (values[i] - values[j])) for each in draws] for i, j in pairs}
    rejected: set[tuple[int, int]] = set()
    while True:
        left = [pair for pair in pairs if pair not in rejected]
        largest = [max((drawn[pair][n] for pair in left), default=0) for n in range(len(draws))]
        new = {
            pair
            for pair in left
            if (1 + sum(each >= observed[pair] - 1e-6 for each in largest)) / (len(draws) + 1)
            <= ALPHA + 1e-9
            and observed[pair] > 0
        }
        if not new:
            return rejected
        rejected |= new


@given(st.lists(ROW, min_size=2, max_size=4))
def test_runs_are_told_apart_as_by_loops(rows):
    values = np.array(rows)
    found = told_apart(values, alpha=ALPHA, n_draws=N_DRAWS)
    assert {(int(i), int(j)) for i, j in np.argwhere(found)} == by_loops(values)


# From 128 on each needs that a pair told apart counts in its other direction, and in no more.
@pytest.mark.parametrize("seed", [*range(4), 128, 152, 163, 175, 206, 271])
def test_one_run_is_told_apart_as_by_loops_over_all_signs(seed):
    """Of equal runs, better and worse ones, with ties."""
    rng, every = np.random.default_rng(seed), all_signs(8)
    strengths = rng.choice([0.0, 0.15, 1.0, 1.0, 1.0, -1.0, -1.0], rng.integers(1, 10))
    values = (strengths[:, None] + rng.normal(0, 0.15, (len(strengths), 8))).round(1)
    run = int(rng.integers(len(values)))
    with patch("cleverdon.significance.pairs.signs", lambda *_: iter([every])):
        better, worse = told_apart_from(values, run, alpha=ALPHA, n_draws=len(every))
    expected = by_loops(values, run, every)
    assert {(run, each) for each in np.flatnonzero(better)} == {p for p in expected if p[0] == run}
    assert {(each, run) for each in np.flatnonzero(worse)} == {p for p in expected if p[1] == run}


@given(st.integers(0, 2**32 - 1), st.integers(2, 12))
def test_alone_a_run_is_told_apart_from_no_fewer_than_with_all_at_once(seed, n_runs):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, (n_runs, 25)) / 10 + rng.integers(0, 3, n_runs)[:, None] / 6
    together = told_apart(values, n_draws=199)
    for run in range(n_runs):
        better, worse = told_apart_from(values, run, n_draws=199)
        assert (better >= together[run]).all()
        assert (worse >= together[:, run]).all()


def test_names_and_order_of_runs_change_nothing():
    values = np.random.default_rng(3).random((9, 20)) + np.linspace(0, 0.6, 9)[:, None]
    order = np.random.default_rng(4).permutation(9)
    found = told_apart(values)
    assert found.any()
    assert (told_apart(values[order]) == found[np.ix_(order, order)]).all()


def test_a_copy_that_differs_by_next_to_nothing_hides_no_difference():
    values = np.random.default_rng(8).random((12, 50)) / 5 + np.linspace(0, 0.6, 12)[:, None]
    alone = told_apart(values)
    for epsilon in (1e-6, 1e-8, 1e-13, 0.0):
        copy = values[5].copy()
        copy[0] += epsilon
        found = told_apart(np.vstack([values, copy]))
        assert (found[:12, :12] == alone).mean() > 0.97
        assert found[:12, :12].sum() > 30


def test_equal_runs_few_topics_and_few_draws():
    one = np.random.default_rng(5).random(30)
    assert not told_apart(np.stack([one, one, one])).any()
    better = told_apart(np.stack([one + 0.5, one, one]))
    assert np.argwhere(better).tolist() == [[0, 1], [0, 2]]
    assert not told_apart(np.array([[1.0], [0.0]])).any()
    assert told_apart(np.empty((0, 5))).shape == (0, 0)
    for tell in (told_apart, partial(told_apart_from, run=0)):
        with pytest.raises(ValueError, match=r"18 draws cannot tell anything apart at the level 0"):
            tell(np.stack([one, one]), n_draws=18)
    assert not np.any(told_apart_from(np.stack([one, one, one]), 1))
    assert not np.any(told_apart_from(np.array([[1.0], [0.0]]), 0))


def test_places_and_classes_follow_from_who_is_better():
    better = np.zeros((5, 5), dtype=bool)
    better[0, 2:] = better[1, 3:] = better[2, 4] = True
    best, worst = place_sets(better)
    assert list(zip(best.tolist(), worst.tolist(), strict=True)) == [
        *((1, 2), (1, 3), (2, 4)),
        *((3, 5), (4, 5)),
    ]
    assert classes(better).tolist() == [1, 1, 2, 2, 3]
    chain = np.triu(np.ones((12, 12), dtype=bool), 1)
    assert classes(chain).tolist() == [*range(1, MOST_CLASSES), *[8] * 5]


@given(st.integers(0, 2**32 - 1), st.integers(0, 9))
def test_no_two_of_a_class_are_told_apart_and_each_is_worse_than_one_before(seed, n):
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    better = np.triu(rng.random((n, n)) < 0.3, 1)[np.ix_(order, order)]  # without a circle
    found = classes(better)
    assert (found > 0).all()
    assert ((found == 1) == (place_sets(better).best == 1)).all()
    for number in set(found.tolist()) - {MOST_CLASSES}:
        own = found == number
        assert not better[np.ix_(own, own)].any()
        if number > 1:
            assert better[found == number - 1][:, own].any(axis=0).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "noise",
    ["grades", *(pytest.param(each, marks=pytest.mark.deep) for each in ("normal", "skewed"))],
)
def test_of_many_campaigns_few_are_wrong(noise):
    """With eight equal runs at most 5 % tell two apart; with ties 95 % of the sets all hold,
    and 95 % of those of one run alone.
    """
    rng = np.random.default_rng(6)
    draw = {
        "normal": lambda shape: rng.normal(0, 0.1, shape),
        "skewed": lambda shape: rng.exponential(0.15, shape),
        "grades": lambda shape: rng.integers(0, 5, shape) / 10,
    }[noise]
    tied = np.repeat([0.0, 0.05, 0.1], [3, 3, 2])
    n_wrong = n_held = n_narrower = 0
    n_alone = np.zeros(8)
    n = 1000
    for seed in range(n):
        topics = rng.random(20) * 0.6
        equal = topics + draw((8, 20))
        n_wrong += bool(told_apart(equal, n_draws=199, seed=seed).any())
        values = tied[:, None] + equal
        best, worst = place_sets(told_apart(values, n_draws=199, seed=seed))
        first = 1 + (tied[:, None] < tied).sum(axis=1)
        last = len(tied) - (tied[:, None] > tied).sum(axis=1)
        n_held += bool((best <= first).all() and (last <= worst).all())
        run = seed % 8
        better, worse = told_apart_from(values, run, n_draws=199, seed=seed)
        lowest, highest = 1 + worse.sum(), 8 - better.sum()
        n_alone[run] += lowest <= first[run] and last[run] <= highest
        n_narrower += highest - lowest < worst[run] - best[run]
    assert n_wrong <= 0.07 * n  # 5 %, and two standard errors
    assert n_held >= 0.95 * n
    # Of each run at least 95 % but for three standard errors, and of all runs together.
    assert (n_alone >= 0.89 * n / 8).all()
    assert n_alone.sum() >= 0.95 * n
    assert n_narrower > 0.1 * n
