"""Paired tests by draws, and how large a difference is.

All take the differences of two runs by topic. Randomization is the default of all tests here: with
t it is what Smucker, Allan and Carterette (2007) and Urbano, Lima and Hanjalic (2019) advise.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from cleverdon.significance.draws import all_signs, resamples, signs
from cleverdon.trec.arrays import Floats, Integers

ALPHA, N_DRAWS, SEED = 0.05, 100_000, 1
# The ends of an interval.
Ends = tuple[float, float]
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
    flips, is_exact = _flips(n, draws)
    reached = sum(_n_reached(each @ differences, wanted, sides) for each in flips)
    p = float(_p(reached, n, draws, is_exact=is_exact))
    if is_exact:
        return Tested(name, sides, wanted / n, p, 1 << n, is_exact=True)
    return Tested(name, sides, wanted / n, p, *draws)


def _flips(n_topics: int, draws: Draws) -> tuple[Iterable[Floats], bool]:
    """Return the signs in parts, [flips x topics] each, and whether they are all there are."""
    if n_topics < draws.n.bit_length():  # 2^n is no more than the draws
        return [all_signs(n_topics)], True
    return signs(n_topics, *draws), False


def p_values(differences: Floats, draws: Draws) -> Floats:
    """Return the two-sided p of each row of differences, [pairs x topics], by the same flips.

    As `randomization`; 1 where two runs never differ.
    """
    flips, is_exact = _flips(differences.shape[1], draws)
    reached = sum(_n_far(each, differences) for each in flips)
    return _p(reached, differences.shape[1], draws, is_exact=is_exact)


def _n_far(flips: Floats, rows: Floats) -> Integers:
    """Count the flips that make the sum of each row as far from 0 as the data have it."""
    # Sums that are as far but for rounding count too.
    least = np.abs(rows.sum(axis=1))[:, None] - SAME
    return np.asarray((np.abs(rows @ flips.T) >= least).sum(axis=1))


def _p(reached: Integers | int, n_topics: int, draws: Draws, *, is_exact: bool) -> Floats:
    """Return each p: of all flips, if these are they, or of the draws, the data being one more."""
    counts = np.asarray(reached)
    return np.asarray(counts / 2**n_topics if is_exact else (counts + 1) / (draws.n + 1))


def not_rejected(rows: Floats, draws: Draws, alpha: float = ALPHA) -> list[Ends | None]:
    """Return the interval of all mean differences that two-sided randomization does not reject.

    There is one for each row of differences, [rows x topics]. It holds 0 where p is over alpha, and
    only there, as it comes from the same flips: with signs s the sum of the differences less a
    shift is as far from 0 as that of the data for the shifts up to |c| / (n + b) on one side of the
    mean and |c| / (n - b) on the other, c the sum of the centered differences with these signs, b
    that of the signs. None where the differences are all alike, or too few for the level.
    """
    n = rows.shape[1]
    if n < 2:
        return [None] * len(rows)
    flips, is_exact = _flips(n, draws)
    means = rows.mean(axis=1)
    centered = rows - means[:, None]
    drawn = [(_reach(each, centered), _n_far(each, rows)) for each in flips]
    far = np.concatenate([each for each, _ in drawn], axis=2)
    # The fewest draws that make p more than alpha; the data are one of those drawn.
    n_flips = far.shape[2] if is_exact else draws.n + 1
    fewest = int(np.floor(alpha * n_flips + 1e-9)) + is_exact
    below, above = np.partition(far, -fewest, axis=2)[:, :, -fewest]
    ends = np.stack([means - below, means + above], axis=1)
    has_0 = _p(sum(each for _, each in drawn), n, draws, is_exact=is_exact) > alpha
    ends[has_0] = np.stack([ends[has_0, 0].clip(max=0), ends[has_0, 1].clip(min=0)], axis=1)
    known = [varies(row) and np.isfinite(own).all() for row, own in zip(rows, ends, strict=True)]
    return [
        (low, high) if is_known else None
        for is_known, (low, high) in zip(known, ends.tolist(), strict=True)
    ]


def _reach(flips: Floats, centered: Floats) -> Floats:
    """Return how far below and above the mean each draw is reached, [2 x rows x draws]."""
    n, sums, totals = centered.shape[1], centered @ flips.T, flips.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.abs(sums) / np.stack([n - np.sign(sums) * totals, n + np.sign(sums) * totals])
    return np.where(np.abs(totals) == n, np.inf, far)


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
