"""The paired tests by name. Those that are not by draws are scipy's, which is slow to import."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from scipy import stats

from cleverdon.significance.randomization import (
    SAME,
    Draws,
    Tested,
    bootstrap,
    randomization,
    varies,
)
from cleverdon.trec.arrays import Floats

# From so many topics on Wilcoxon's statistic is taken as normal, as R does.
NORMAL_FROM = 50
# A test takes the differences, the sides, the least difference and the draws.
Test = Callable[[Floats, int, float, Draws], Tested]


def t_test(differences: Floats, sides: int, _: float, __: Draws) -> Tested:
    """Return Student's paired t (1908), with n - 1 in the standard deviation."""
    if len(differences) < 2 or not varies(differences):
        return Tested("t", sides, None, None)
    found = stats.ttest_1samp(differences, 0, alternative=_alternative(sides))
    return Tested("t", sides, float(found.statistic), float(found.pvalue))


def wilcoxon(differences: Floats, sides: int, _: float, __: Draws) -> Tested:
    """Sum signed ranks (Wilcoxon 1945): zeros are dropped, ties share a rank.

    The statistic is the sum of the signed ranks. Exact below 50 topics that differ, also with ties;
    from there on normal with a correction for continuity.
    """
    told = differences[np.abs(differences) > SAME]
    if not len(told):
        return Tested("wilcoxon", sides, None, None)
    ranks = stats.rankdata(np.round(np.abs(told), 12))
    statistic = float((np.sign(told) * ranks).sum())
    if len(told) < NORMAL_FROM:
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


TESTS: Mapping[str, Test] = {
    "randomization": randomization,
    "t": t_test,
    "wilcoxon": wilcoxon,
    "sign": sign_test,
    "bootstrap": bootstrap,
}


def _alternative(sides: int) -> Literal["two-sided", "greater"]:
    return "two-sided" if sides == 2 else "greater"
