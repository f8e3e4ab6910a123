"""All pairs of runs at once, or all of one run: the largest statistic of each draw, in steps.

Under the null hypothesis that two runs differ by chance, the difference on each topic could as well
have had the other sign (Fisher's randomization; Smucker, Allan and Carterette 2007). All pairs have
the same signs flipped, so that the largest of their statistics in each draw, max-T (Westfall and
Young 1993), says how large the largest of all is by chance. Pairs that are told apart then leave,
and the rest is compared again with less (step-down; Romano and Wolf 2005). With probability
1 - alpha no pair is told apart that does not differ, whichever pairs differ. That needs
differences that scatter alike to both sides, or many topics: a run that fails rarely and badly
breaks it where topics are few. If there are no more ways to give signs than draws, all are made,
and no seed matters.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

import numpy as np

from cleverdon.significance.draws import all_signs, signs
from cleverdon.significance.randomization import SAME, Ends
from cleverdon.trec.arrays import Floats, Mask

ALPHA, N_DRAWS, SEED = 0.05, 4999, 1
# So many draws of the differences to a hundred runs are near a core.
AT_ONCE = 1024
# So many statistics of pairs are in memory at a time.
CELLS = 1 << 18


def told_apart(
    values: Floats, *, alpha: float = ALPHA, n_draws: int = N_DRAWS, seed: int = SEED
) -> Mask:
    """Return for each pair of runs whether the first is better, [runs x runs].

    `values` are [runs x topics], without gaps; more is better. ValueError where the draws are too
    few for the level.
    """
    _check(alpha, n_draws)
    n_runs, n_topics = values.shape
    better = np.zeros((n_runs, n_runs), dtype=np.bool_)
    if n_runs < 2 or n_topics < 2:
        return better
    observed, scale = _observed(values)
    flipped = _flipped(values, n_draws, seed)
    while True:
        largest = _largest(flipped, scale, better)
        new = (observed > critical(largest, alpha)) & ~better
        if not new.any():
            return better
        better |= new


def told_apart_from(
    values: Floats, run: int, *, alpha: float = ALPHA, n_draws: int = N_DRAWS, seed: int = SEED
) -> tuple[Mask, Mask]:
    """Return for each run whether this one is better, and whether it is worse, [runs] each.

    As `told_apart`, but the largest statistic is that of the pairs of one run alone, so that what
    follows holds of this run and not of all at once. It tells apart whatever `told_apart` does by
    the same draws.
    """
    _check(alpha, n_draws)
    n_runs, n_topics = values.shape
    better, worse = np.zeros((2, n_runs), dtype=np.bool_)
    if n_runs < 2 or n_topics < 2:
        return better, worse
    differences = values[run] - values
    scale = _scale((differences**2).sum(axis=1), n_topics)
    observed = _signed(differences.sum(axis=1), scale)
    drawn = (differences @ each.T for each in _signs(n_topics, n_draws, seed))
    flipped = np.concatenate([_signed(each, scale[:, None]) for each in drawn], axis=1)
    while True:
        # A pair that is told apart counts only in the direction that is not rejected yet.
        highest = flipped[~better].max(axis=0, initial=0.0)
        lowest = flipped[~worse].min(axis=0, initial=0.0)
        least = critical(np.maximum(highest, -lowest), alpha)
        new = (np.abs(observed) > least) & ~better & ~worse
        if not new.any():
            return better, worse
        better |= new & (observed > 0)
        worse |= new & (observed < 0)


class AllPairs(NamedTuple):
    """The p-value of each pair of runs, corrected for all pairs, and what the gaps may be.

    `p` is [runs x runs]: it is up to alpha where `told_apart` tells the two apart, at any alpha, by
    the same draws. `limit` is the statistic that the pairs' own gaps exceed with probability alpha.
    """

    p: Floats
    limit: float

    def of(self, runs: Sequence[int]) -> Self:
        """Return the pairs of some of the runs, still held against those of all."""
        return self._replace(p=self.p[np.ix_(runs, runs)])

    def ends(self, differences: Floats, p: float, alpha: float = ALPHA) -> Ends | None:
        """Return the interval of the mean of one pair's differences; None without one.

        All pairs' intervals hold at once, as all are held against the same limit. Steps may tell a
        pair apart whose interval would reach over 0; then it ends there.
        """
        n, mean = len(differences), float(differences.mean())
        spread = float(((differences - mean) ** 2).sum())
        if self.limit >= 1 or spread <= n * SAME**2:
            return None
        far = float(np.sqrt(self.limit * spread / (n * (1 - self.limit))))
        low, high = mean - far, mean + far
        if p > alpha:  # what follows from the limit already, but for rounding
            return min(low, 0.0), max(high, 0.0)
        return (max(low, 0.0), high) if mean > 0 else (low, min(high, 0.0))


def all_pairs(
    values: Floats, *, alpha: float = ALPHA, n_draws: int = N_DRAWS, seed: int = SEED
) -> AllPairs:
    """Compare all pairs of at least two runs, with step-down (Westfall and Young 1993).

    A pair is held against the largest statistic of the pairs that differ no more than it does, and
    of all pairs in the direction that was not observed. Its p is no smaller than that of a pair
    that differs more.
    """
    observed, scale = _observed(values)
    one, other = np.triu_indices(len(values), 1)
    better, worse = np.where(observed[one, other] >= 0, (one, other), (other, one))
    order = np.lexsort((observed[better, worse],))
    better, worse = better[order], worse[order]
    # By roots, which is less work. Equal sums in another order differ in their last digits.
    least = np.sqrt(observed[better, worse]) * (1 - 1e-9) - SAME
    root = np.sqrt(scale[better, worse])
    # The pairs of a draw lie side by side: with many runs that takes a fifth of the time.
    drawn = np.ascontiguousarray(_flipped(values, n_draws, seed).T)
    n_reached, largest, step = np.zeros(len(order)), np.empty(len(drawn)), CELLS // len(order) or 1
    for at in range(0, len(drawn), step):
        part = drawn[at : at + step]
        signed = (part.take(better, axis=1) - part.take(worse, axis=1)) * root
        np.maximum(signed[:, 0], -signed.min(axis=1), out=signed[:, 0])
        np.maximum.accumulate(signed, axis=1, out=signed)
        n_reached += (signed >= least).sum(axis=0)
        largest[at : at + step] = signed[:, -1]
    found = np.maximum.accumulate((n_reached[::-1] + 1) / (len(drawn) + 1))[::-1]
    p = np.ones(observed.shape)
    p[better, worse] = p[worse, better] = found
    return AllPairs(p, critical(largest**2, alpha))


def reached(largest: Floats, observed: Floats) -> Floats:
    """Return p = (c + 1) / (B + 1) of each statistic: c of B draws reach it."""
    n_below = np.searchsorted(np.sort(largest), observed)
    return (len(largest) - n_below + 1) / (len(largest) + 1)


def _flipped(values: Floats, n_draws: int, seed: int) -> Floats:
    """Return the sums of each run with the signs of each draw, [runs x draws]."""
    drawn = _signs(values.shape[1], n_draws, seed)
    return np.concatenate([values @ each.T for each in drawn], axis=1)


def _signs(n_topics: int, n_draws: int, seed: int) -> Iterable[Floats]:
    """Return the drawn signs, or all there are but those of the data, which are counted apart."""
    return (
        [all_signs(n_topics)[:-1]]
        if is_exact(n_topics, n_draws)
        else signs(n_topics, n_draws, seed)
    )


def is_exact(n_topics: int, n_draws: int = N_DRAWS) -> bool:
    """Whether all ways to give signs are made, as they are no more than the draws."""
    return n_topics < (n_draws + 1).bit_length()


def _check(alpha: float, n_draws: int) -> None:
    if alpha * (n_draws + 1) < 1:
        raise ValueError(f"{n_draws:,} draws cannot tell anything apart at the level {alpha:g}.")


def _observed(values: Floats) -> tuple[Floats, Floats]:
    """Return the signed statistic of each pair of runs, and the factor from a squared sum to it.

    It is r = d² / (n Σd²), which grows with t² = (n - 1) r / (1 - r). It is 0 for equal runs, and
    for runs that differ by no more than rounding.
    """
    n_topics = values.shape[1]
    sums = values.sum(axis=1)
    # The differences themselves: squares of values would cancel.
    squares = np.stack([((row - values) ** 2).sum(axis=1) for row in values])
    scale = _scale(squares, n_topics)
    return _signed(sums[:, None] - sums, scale), scale


def _scale(squares: Floats, n_topics: int) -> Floats:
    with np.errstate(divide="ignore"):
        return np.where(squares > n_topics * SAME**2, 1 / (n_topics * squares), 0.0)


def _signed(sums: Floats, scale: Floats) -> Floats:
    signed: Floats = sums * np.abs(sums) * scale
    return signed


def _largest(flipped: Floats, scale: Floats, better: Mask) -> Floats:
    """Return the largest statistic of each draw, over all pairs that are not told apart.

    `flipped` are the sums of each run with the signs of each draw, [runs x draws]. A pair that is
    told apart counts only in the direction that is not rejected yet.
    """
    n_draws = flipped.shape[1]
    parts = (flipped[:, at : at + AT_ONCE] for at in range(0, n_draws, AT_ONCE))
    return np.concatenate([_largest_of(each, scale, better) for each in parts])


def _largest_of(flipped: Floats, scale: Floats, better: Mask) -> Floats:
    n_runs, n_draws = flipped.shape
    largest = np.zeros(n_draws)
    for run in range(n_runs - 1):
        difference = flipped[run] - flipped[run + 1 :]
        won, lost = better[run, run + 1 :], better[run + 1 :, run]
        if won.any() or lost.any():
            np.minimum(difference, 0, out=difference, where=won[:, None])
            np.maximum(difference, 0, out=difference, where=lost[:, None])
        np.square(difference, out=difference)
        difference *= scale[run, run + 1 :, None]
        np.maximum(largest, difference.max(axis=0), out=largest)
    return largest


def critical(largest: Floats, alpha: float) -> float:
    """Return the statistic that at most a share alpha of draws reach, the data counted as one."""
    n_allowed = int(np.floor(alpha * (len(largest) + 1) + 1e-9)) - 1
    ordered = np.sort(largest)[::-1]
    # Equal sums in another order differ in their last digits.
    return float(ordered[n_allowed]) * (1 + 1e-9)
