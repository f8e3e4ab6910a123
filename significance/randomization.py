"""Paired tests by draws, and how large a difference is.

All take the differences of two runs by topic. Randomization is the default of all tests here: with
t it is what Smucker, Allan and Carterette (2007) and Urbano, Lima and Hanjalic (2019) advise.
"""

from typing import NamedTuple

import numpy as np

from significance.draws import all_signs, resamples, signs
from trec.arrays import Floats

N_DRAWS, SEED = 100_000, 1
# Sums of the same numbers in another order may differ by this.
SAME = 1e-12


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
    if n < 2 or not varies(differences):
        return Tested(name, sides, None, None)
    wanted, centered = float(differences.sum()), differences - differences.mean()
    drawn = (centered[each].sum(axis=1) for each in resamples(n, *draws))
    p = (sum(_n_reached(each, wanted, sides) for each in drawn) + 1) / (draws.n + 1)
    return Tested(name, sides, wanted / n, p, *draws)


def effect(differences: Floats) -> Effect:
    """Return the size of a difference; without d_z where all differences are the same."""
    n_higher, n_lower = int((differences > SAME).sum()), int((differences < -SAME).sum())
    mean = float(differences.mean()) if len(differences) else 0.0
    has_spread = len(differences) > 1 and varies(differences)
    d_z = mean / float(differences.std(ddof=1)) if has_spread else None
    return Effect(mean, d_z, n_higher, len(differences) - n_higher - n_lower, n_lower)


def _n_reached(sums: Floats, wanted: float, sides: int) -> int:
    """Count the sums that are at least as far from zero; with one side, at least as large."""
    if sides == 2:
        return int((np.abs(sums) >= abs(wanted) - SAME).sum())
    return int((sums >= wanted - SAME).sum())


def _differs(differences: Floats) -> bool:
    return bool((np.abs(differences) > SAME).any())


def varies(differences: Floats) -> bool:
    return bool(np.ptp(differences) > SAME)
