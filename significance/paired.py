"""Paired tests of two runs on the same topics.

Which of them to trust is argued about: Smucker, Allan and Carterette (2007) advise against Wilcoxon
and sign, Urbano, Lima and Hanjalic (2019) for t and randomization. The default is randomization.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import stats

from significance.draws import all_signs, resamples, signs
from trec.arrays import Floats

N_DRAWS, SEED = 100_000, 1
# Sums of the same numbers in another order may differ by this.
SAME = 1e-12
# From so many topics on Wilcoxon's statistic is taken as normal, as R does.
NORMAL_FROM = 50


class Draws(NamedTuple):
    """How often a test draws, and from which seed."""

    n: int = N_DRAWS
    seed: int = SEED


class Tested(NamedTuple):
    """The outcome of a test: `p` is None where there is nothing to test.

    `n_draws` is 0 for a test without draws; `is_exact` says that all possible ones were made.
    """

    test: str
    sides: int
    statistic: float | None
    p: float | None
    n_draws: int = 0
    seed: int | None = None
    is_exact: bool = False


class Effect(NamedTuple):
    """How large a difference is: its mean, and in standard deviations (d_z); topics by sign."""

    difference: float
    d_z: float | None
    n_higher: int
    n_equal: int
    n_lower: int


# A test takes the differences, the sides, the least difference and the draws.
Test = Callable[[Floats, int, float, Draws], Tested]


def t_test(differences: Floats, sides: int, _: float, __: Draws) -> Tested:
    """Return Student's paired t (1908), with n - 1 in the standard deviation."""
    if len(differences) < 2 or not _varies(differences):
        return Tested("t", sides, None, None)
    found = stats.ttest_1samp(differences, 0, alternative=_alternative(sides))
    return Tested("t", sides, float(found.statistic), float(found.pvalue))


def wilcoxon(differences: Floats, sides: int, _: float, __: Draws) -> Tested:
    """Sum signed ranks (Wilcoxon 1945): zeros are dropped, ties share a rank.

    The statistic is the sum of the signed ranks. Exact below 50 topics, also with ties; from there
    on normal with a correction for continuity.
    """
    told = differences[np.abs(differences) > SAME]
    if not len(told):
        return Tested("wilcoxon", sides, None, None)
    ranks = stats.rankdata(np.round(np.abs(told), 12))
    statistic = float((np.sign(told) * ranks).sum())
    if len(differences) < NORMAL_FROM:
        return Tested("wilcoxon", sides, statistic, _exact_ranks(ranks, statistic, sides))
    how = {"alternative": _alternative(sides), "method": "approx", "correction": True}
    found: Any = stats.wilcoxon(np.sign(told) * ranks, **how)  # type: ignore[call-overload]
    return Tested("wilcoxon", sides, statistic, float(found.pvalue))


def _exact_ranks(ranks: Floats, statistic: float, sides: int) -> float:
    """Return how likely a sum of signed ranks is at least this one, over all signs."""
    doubled = np.round(2 * ranks).astype(np.int64)  # ranks that are shared end in a half
    ways = np.ones(1)
    for rank in doubled.tolist():
        longer = np.zeros(len(ways) + rank)
        longer[: len(ways)] += ways / 2
        longer[rank:] += ways / 2
        ways = longer
    sums = 2 * np.arange(len(ways)) - int(doubled.sum())  # twice the sum of the signed ranks
    wanted = round(2 * statistic)
    reached = np.abs(sums) >= abs(wanted) if sides == 2 else sums >= wanted
    return min(float(ways[reached].sum()), 1.0)


def sign_test(differences: Floats, sides: int, least: float, _: Draws) -> Tested:
    """Count signs (van Rijsbergen 1979): only differences of more than `least` count."""
    n_higher = int((differences > least + SAME).sum())
    n = n_higher + int((differences < -least - SAME).sum())
    if not n:
        return Tested("sign", sides, None, None)
    found = stats.binomtest(n_higher, n, alternative=_alternative(sides))
    return Tested("sign", sides, float(n_higher), float(found.pvalue))


def randomization(differences: Floats, sides: int, _: float, draws: Draws) -> Tested:
    """Flip signs (Fisher 1935): p = (c + 1) / (B + 1), or of all signs if they are no more."""
    n, name = len(differences), "randomization"
    if not _differs(differences):
        return Tested(name, sides, None, None)
    wanted = float(differences.sum())
    if n < draws.n.bit_length():  # 2^n is no more than the draws
        reached = _n_reached(all_signs(n) @ differences, wanted, sides)
        return Tested(name, sides, wanted / n, reached / 2**n, 1 << n, is_exact=True)
    drawn = (each @ differences for each in signs(n, *draws))
    p = (sum(_n_reached(each, wanted, sides) for each in drawn) + 1) / (draws.n + 1)
    return Tested(name, sides, wanted / n, p, *draws)


def bootstrap(differences: Floats, sides: int, _: float, draws: Draws) -> Tested:
    """Resample the differences around their mean: the shifted bootstrap (Savoy 1997)."""
    n, name = len(differences), "bootstrap"
    if not _differs(differences):
        return Tested(name, sides, None, None)
    wanted, centered = float(differences.sum()), differences - differences.mean()
    drawn = (centered[each].sum(axis=1) for each in resamples(n, *draws))
    p = (sum(_n_reached(each, wanted, sides) for each in drawn) + 1) / (draws.n + 1)
    return Tested(name, sides, wanted / n, p, *draws)


TESTS: Mapping[str, Test] = {
    "randomization": randomization,
    "t": t_test,
    "wilcoxon": wilcoxon,
    "sign": sign_test,
    "bootstrap": bootstrap,
}


def effect(differences: Floats) -> Effect:
    """Return the size of a difference; without d_z where all differences are the same."""
    n_higher, n_lower = int((differences > SAME).sum()), int((differences < -SAME).sum())
    mean = float(differences.mean()) if len(differences) else 0.0
    varies = len(differences) > 1 and _varies(differences)
    d_z = mean / float(differences.std(ddof=1)) if varies else None
    return Effect(mean, d_z, n_higher, len(differences) - n_higher - n_lower, n_lower)


def _n_reached(sums: Floats, wanted: float, sides: int) -> int:
    """Count the sums that are at least as far from zero; with one side, at least as large."""
    if sides == 2:
        return int((np.abs(sums) >= abs(wanted) - SAME).sum())
    return int((sums >= wanted - SAME).sum())


def _differs(differences: Floats) -> bool:
    return bool((np.abs(differences) > SAME).any())


def _varies(differences: Floats) -> bool:
    return bool(np.ptp(differences) > SAME)


def _alternative(sides: int) -> Literal["two-sided", "greater"]:
    return "two-sided" if sides == 2 else "greater"
