"""The difference of two runs: one verdict, and intervals that belong to their tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cleverdon.measures.names import parse
from cleverdon.significance.pairs import all_pairs, told_apart
from cleverdon.significance.power import effect_ends
from cleverdon.significance.randomization import Draws, not_rejected, p_values, randomization
from evaluation.core.difference import DRAWS, Difference, intervals_alone, pair_rows, size_of
from evaluation.core.difference import difference_of as of_pair
from evaluation.core.standing import compared_pairs

AP = parse("AP")
# Of tenths ties and zeros are frequent.
VALUES = st.integers(2, 5).flatmap(
    lambda n_runs: st.integers(6, 9).flatmap(
        lambda n_topics: st.lists(
            st.lists(
                st.integers(0, 10).map(lambda n: n / 10), min_size=n_topics, max_size=n_topics
            ),
            min_size=n_runs,
            max_size=n_runs,
        ).map(np.array)
    )
)


def difference_of(values, one, other, measure) -> Difference | None:
    """Compare two of the runs, among all their pairs."""
    pairs, at = compared_pairs(values, ~np.isnan(values), measure), [one, other]
    common = ~np.isnan(values).any(axis=0)
    return of_pair(values[at], measure, pairs and pairs.of(at), common)


@given(VALUES)
def test_an_interval_holds_0_where_its_own_p_is_over_alpha_and_only_there(values):
    found = difference_of(values, 0, 1, AP)
    better = told_apart(values)
    assert found.is_told == (better[0, 1] or better[1, 0]), "the verdict of the board"
    for gap in filter(None, found):
        if gap.ends:
            low, high = gap.ends
            assert low <= values[0].mean() - values[1].mean() <= high
            assert (low <= 0 <= high) or gap.is_told
            assert not (gap.is_told and low < 0 < high)
    if found.alone:
        assert found.among.p >= found.alone.p - 1e-9
        if found.alone.ends:
            low, high = found.alone.ends
            assert (low <= 0 <= high) == (not found.alone.is_told)


@given(VALUES, st.sampled_from([0.05, 0.1, 0.3]), st.sampled_from([39, 99, 4999]))
def test_corrected_p_is_up_to_alpha_for_the_pairs_that_are_told_apart_at_it(values, alpha, n_draws):
    better = told_apart(values, alpha=alpha, n_draws=n_draws)
    p = all_pairs(values, n_draws=n_draws).p
    told = (p <= alpha + 1e-12) & ~np.eye(len(values), dtype=bool)
    assert (told == (better | better.T)).all()


@given(VALUES, st.floats(-0.6, 0.6), st.sampled_from([99, 4999]))
def test_the_interval_of_a_pair_alone_has_what_its_test_does_not_reject(values, shift, n_draws):
    differences = values[0] - values[1]
    [ends] = not_rejected(differences[None], Draws(n_draws))
    if ends and min(abs(shift - end) for end in ends) > 1e-9:
        p = randomization(differences - shift, 2, 0.0, Draws(n_draws)).p or 1.0
        assert (ends[0] <= shift <= ends[1]) == (p > 0.05)


def test_a_board_of_two_runs_has_one_p_and_its_intervals_turn_with_the_runs():
    values = np.random.default_rng(1).normal(0.1, 0.3, (2, 40))
    found, turned = difference_of(values, 0, 1, AP), difference_of(values, 1, 0, AP)
    assert found.among.p == found.alone.p
    for gap, other in zip(found, turned, strict=True):
        assert gap.ends == pytest.approx((-other.ends[1], -other.ends[0]))
    expected = stats.ttest_1samp(values[0] - values[1], 0)
    assert found.alone.p == pytest.approx(expected.pvalue, abs=0.03)
    assert found.alone.ends == pytest.approx(expected.confidence_interval(), abs=0.02)


def test_with_few_topics_a_pair_has_p_and_no_interval():
    found = difference_of(np.array([[1.0, 1.0, 0.5], [0.0, 0.0, 0.0]]), 0, 1, AP)
    assert (found.among, found.alone) == (None, (2 / 8, None, 3))
    assert not found.is_told


def test_runs_that_never_differ_are_not_told_apart_and_sums_are_not_tested():
    values = np.full((2, 30), 0.5)
    found = difference_of(values, 0, 1, AP)
    assert (found.alone, found.among.p, found.among.ends, found.is_told) == (None, 1, None, False)
    assert difference_of(values, 0, 1, parse("NumRel")) is None


def test_a_geometric_mean_is_tested_by_logarithms_and_has_no_interval():
    values = np.random.default_rng(1).random((2, 20)) ** [[1], [3]]
    found = difference_of(values, 0, 1, parse("GMAP"))
    logs = np.log(np.maximum(values, 1e-5))
    assert found.alone.p == randomization(logs[0] - logs[1], 2, 0.0, DRAWS).p
    assert (found.alone.ends, found.among.ends) == (None, None)


def test_a_size_has_an_interval_by_noncentral_t_and_other_tests_beside_it():
    values = np.random.default_rng(1).normal(0.1, 0.3, 40)
    size = size_of(values)
    t = stats.ttest_1samp(values, 0)
    assert dict(size.others)["paired t"] == pytest.approx(t.pvalue)
    assert [name for name, _ in size.others] == ["paired t", "Wilcoxon", "sign test"]
    low, high = size.ends
    root = len(values) ** 0.5
    assert stats.nct.cdf(t.statistic, 39, low * root) == pytest.approx(0.975)
    assert stats.nct.cdf(t.statistic, 39, high * root) == pytest.approx(0.025)
    assert effect_ends(-size.effect.d_z, 40) == pytest.approx((-high, -low))
    assert size_of(np.zeros(5)) == ((0.0, None, 0, 5, 0), None, [], None)


def test_all_pairs_have_the_p_of_each_alone_on_the_topics_of_both():
    values = np.random.default_rng(5).random((4, 20))
    values[1, :3] = np.nan
    pairs = compared_pairs(values, ~np.isnan(values), AP)
    rows = {row[:2]: row for row in pair_rows(values, AP, pairs)}
    assert sorted(rows) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    for (one, other), row in rows.items():
        differences = values[one] - values[other]
        own = differences[~np.isnan(differences)]
        assert row.n_topics == len(own) == (17 if 1 in {one, other} else 20)
        assert row.difference == pytest.approx(own.mean())
        assert row.p == randomization(own, 2, 0.0, DRAWS).p
        assert row.corrected == difference_of(values, one, other, AP).among.p
    assert not list(pair_rows(values, parse("NumRel"), None))
    assert (p_values(np.zeros((2, 7)), DRAWS) == 1).all()


@pytest.mark.slow
def test_the_intervals_of_all_pairs_hold_at_once():
    rng, n, wrong = np.random.default_rng(8), 300, 0
    means = np.array([0.0, 0.05, 0.1, 0.1, 0.3])
    for seed in range(n):
        values = means[:, None] + rng.normal(0, 0.15, (5, 20))
        pairs = all_pairs(values, n_draws=199, seed=seed)
        wrong += any(
            not low <= means[i] - means[j] <= high
            for i in range(5)
            for j in range(i)
            for low, high in [pairs.ends(values[i] - values[j], float(pairs.p[i, j]))]
        )
    assert wrong <= n * 0.05 + 2.5 * (n * 0.05 * 0.95) ** 0.5


def test_measures_are_flipped_together_and_each_on_its_own_topics():
    rows = np.random.default_rng(1).normal(0.1, 0.3, (4, 20))
    rows[1, 3], rows[2] = np.nan, 0.5
    found = intervals_alone(rows)
    alone = [not_rejected(row[~np.isnan(row)][None], DRAWS)[0] for row in rows]
    assert found[2] is alone[2] is None
    for n in (0, 1, 3):
        assert found[n] == pytest.approx(alone[n], abs=1e-15)
