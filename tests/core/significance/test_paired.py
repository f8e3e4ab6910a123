"""Paired tests against a textbook, published figures, scipy and all signs by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cleverdon.significance.paired import TESTS
from cleverdon.significance.randomization import Draws, effect

# Croft, Metzler and Strohman, Search Engines (2009), table 8.6.
A = np.array([25, 43, 39, 75, 43, 15, 20, 52, 49, 50], dtype=float)
B = np.array([35, 84, 15, 75, 68, 85, 80, 50, 58, 75], dtype=float)
# Halves, zeros and ties: few values, often the same.
USUAL = Draws()
DIFFERENCES = st.lists(st.sampled_from([-0.5, -0.25, 0.0, 0.25, 0.5, 1.0]), max_size=9)


def outcome(name, differences, sides=1, least=0.0, draws=USUAL):
    return TESTS[name](np.array(differences, dtype=float), sides, least, draws)


def test_the_example_of_the_textbook():
    """The book rounds t to 2.33 and its p to .02; it reads Wilcoxon's p, .025, from a table."""
    t = outcome("t", B - A)
    assert (t.statistic, t.p) == pytest.approx((2.3268813, 0.0224881), abs=1e-7)
    wilcoxon = outcome("wilcoxon", B - A)
    assert (wilcoxon.statistic, wilcoxon.p) == (35, 9 / 512)
    # The topic without a difference is left out; the book counts it against B: 7 of 10, p .17.
    sign = outcome("sign", B - A)
    assert (sign.statistic, sign.p) == (7, pytest.approx(0.08984375))
    one, two = (outcome("randomization", B - A, sides) for sides in (1, 2))
    assert (one.p, two.p, two.n_draws, two.is_exact) == (24 / 1024, 48 / 1024, 1024, True)
    assert effect(B - A) == (pytest.approx(21.4), pytest.approx(0.735824, abs=1e-6), 7, 1, 2)


@given(DIFFERENCES, st.sampled_from([1, 2]))
def test_all_signs_give_the_randomization_and_wilcoxon(differences, sides):
    wanted = outcome("randomization", differences, sides)
    if not any(differences):
        assert wanted.p is None
        return
    values = np.array(differences)
    told = values[values != 0]
    ranks = np.sign(told) * stats.rankdata(np.abs(told))
    for name, terms in (("randomization", values), ("wilcoxon", ranks)):
        total, size = terms.sum(), np.abs(terms)
        sums = [np.dot(each, size) for each in product([1, -1], repeat=len(size))]
        reached = [abs(s) >= abs(total) if sides == 2 else s >= total for s in sums]
        assert outcome(name, differences, sides).p == pytest.approx(np.mean(reached), abs=1e-12)


@given(DIFFERENCES, st.sampled_from([1, 2]), st.sampled_from([0.0, 0.25, 0.3]))
def test_t_and_sign_are_scipys(differences, sides, least):
    values, how = np.array(differences), "two-sided" if sides == 2 else "greater"
    t = outcome("t", differences, sides)
    if len(values) > 1 and np.ptp(values) > 0:
        expected = stats.ttest_1samp(values, 0, alternative=how)
        assert (t.statistic, t.p) == pytest.approx((expected.statistic, expected.pvalue))
    else:
        assert t.p is None
    higher, lower = (values > least).sum(), (values < -least).sum()
    sign = outcome("sign", differences, sides, least)
    if higher + lower:
        expected = stats.binomtest(int(higher), int(higher + lower), alternative=how)
        assert sign.p == pytest.approx(expected.pvalue)
    else:
        assert sign.p is None


def test_wilcoxon_counts_only_topics_that_differ():
    """Sixty topics of which five differ, all alike: 2 of 32 signs, as R has it."""
    assert outcome("wilcoxon", [0.0] * 55 + [0.5] * 5, 2).p == 2 / 32


def test_the_bootstrap_needs_differences_that_vary():
    assert outcome("bootstrap", [0.5], 2).p is None
    assert outcome("bootstrap", [0.5] * 9, 2).p is None


def test_wilcoxon_is_normal_from_fifty_topics_on_as_in_r():
    values = np.random.default_rng(1).normal(0.2, 1, 60).round(1)
    expected = stats.wilcoxon(values, method="approx", correction=True)
    assert outcome("wilcoxon", values, 2).p == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("name", ["randomization", "bootstrap"])
def test_draws_come_near_scipys_and_are_the_same_for_a_seed(name):
    values = np.random.default_rng(2).normal(0.2, 0.6, 40)
    first, again, other = (
        outcome(name, values, 2, draws=Draws(20_000, seed)) for seed in (7, 7, 8)
    )
    assert first == again
    assert first.p != other.p
    assert (first.n_draws, first.seed, first.is_exact) == (20_000, 7, False)
    assert first.p == pytest.approx(outcome("t", values, 2).p, abs=0.01)
    # The differences of two runs who change places are the same, with the other sign.
    assert outcome("randomization", -values, 2, draws=Draws(20_000, 7)).p == pytest.approx(
        outcome("randomization", values, 2, draws=Draws(20_000, 7)).p
    )


def test_a_p_value_of_draws_is_never_zero():
    clear = np.full(40, 0.5) + np.linspace(0, 0.1, 40)
    assert outcome("randomization", clear, 2, draws=Draws(999, 1)).p == 1 / 1000
    assert outcome("bootstrap", clear, 2, draws=Draws(999, 1)).p == 1 / 1000
