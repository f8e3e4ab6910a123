"""Haste, one grade in a row, and drift within sessions, as statistics over plain arrays."""

from collections.abc import Iterator
from math import erfc, exp, inf, lgamma, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cleverdon.trec.arrays import Floats, Integers, Mask, begins, owners, totals

GAP_MINUTES = 30
# A variance below it is rounding.
NOTHING = 1e-9


def codes(*columns: NDArray[Any]) -> Integers:
    """Return numbers from 0 for the different rows of some columns: shape [n].

    >>> codes(np.array([7, 3, 7]), np.array([1, 1, 1])).tolist()
    [1, 0, 1]
    """
    order = np.lexsort(columns[::-1])
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.cumsum(begins(*(each[order] for each in columns))) - 1
    return found


def each_group(*columns: NDArray[Any]) -> Iterator[Integers]:
    """Yield the rows of each group, in their order: groups are the different rows of columns."""
    groups = codes(*columns)
    order = np.lexsort((np.arange(len(groups)), groups))
    yield from np.split(order, np.flatnonzero(begins(groups[order]))[1:]) if len(order) else ()


def group_medians(groups: Integers, values: Floats) -> Floats:
    """Return for each value the median of its group: shape [n].

    >>> group_medians(np.array([1, 7, 1, 7]), np.array([2.0, 5.0, 4.0, 9.0])).tolist()
    [3.0, 7.0, 3.0, 7.0]
    """
    order = np.lexsort((values, groups))
    starts = np.flatnonzero(begins(groups[order]))
    sizes = np.diff(np.append(starts, len(values)))
    low, high = (values[order][starts + at] for at in ((sizes - 1) // 2, sizes // 2))
    found = np.empty(len(values))
    found[order] = ((low + high) / 2)[owners(sizes)]
    return found


def both_medians(
    seconds: Floats, assessor: Integers, topic: Integers, share: float
) -> tuple[Floats, Floats]:
    """Return for each time the medians of its assessor and of its topic: shape [n] each.

    Of a topic that one person alone judged, with a median under a share of their own on all
    topics, it is inf: nobody's times there are usual ones.

    >>> of = np.array([9.0, 9.0, 9.0, 1.0, 1.0]), np.array([1] * 5), np.array([7, 7, 7, 8, 8])
    >>> [each.tolist() for each in both_medians(*of, 1 / 6)]
    [[9.0, 9.0, 9.0, 9.0, 9.0], [9.0, 9.0, 9.0, inf, inf]]
    """
    own, of_topic = group_medians(assessor, seconds), group_medians(topic, seconds)
    topics = codes(topic)
    first = np.unique(topics, return_index=True)[1]
    is_anothers = (assessor != assessor[first][topics]).astype(np.float64)
    is_alone = totals(topics, is_anothers, len(first))[topics] == 0
    return own, np.where(is_alone & (of_topic < share * own), inf, of_topic)


def are_quick(seconds: Floats, assessor: Integers, topic: Integers, share: float) -> Mask:
    """Tell which times are under a share of `both_medians`."""
    return seconds < share * np.minimum(*both_medians(seconds, assessor, topic, share))


def longest_runs(grades: Integers) -> Iterator[tuple[int, int, int]]:
    """Yield each grade that occurs, where its longest run begins, and how long that is.

    >>> list(longest_runs(np.array([0, 0, 1, 0, 1, 1, 1])))
    [(0, 0, 2), (1, 4, 3)]
    """
    starts = np.flatnonzero(begins(grades))
    lengths = np.diff(np.append(starts, len(grades)))
    for grade in np.unique(grades):
        own = np.flatnonzero(grades[starts] == grade)
        longest = own[np.argmax(lengths[own])]
        yield int(grade), int(starts[longest]), int(lengths[longest])


def run_bound(n: int, k: int, length: int) -> float:
    """Bound the probability that k of n places, all orders alike, have so many in a row.

    (n - k + 1) C(n - length, n - k) / C(n, k), the expected number of gaps between the other places
    that hold so many: the first term of the inclusion and exclusion over these gaps (Feller, An
    Introduction to Probability Theory, II.5 and IV.1). It is never below the probability, and above
    it by at most half its square.

    >>> round(run_bound(4, 2, 2), 4)  # 3 of 6 orders
    0.5
    """
    if length > k:
        return 0.0
    rest = n - k
    logs = log(rest + 1) + _log_choose(n - length, rest) - _log_choose(n, k)
    return exp(min(logs, 0.0))


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def session_of(assessor: Integers, at: Floats) -> Integers:
    """Return the number of each act's session, of acts by person and time in seconds: shape [n].

    A session is a person's acts with less than 30 minutes between each and the next.

    >>> session_of(np.array([1, 1, 1, 2]), np.array([0.0, 60.0, 1900.0, 1901.0])).tolist()
    [0, 0, 1, 2]
    """
    is_late = np.diff(at, prepend=-inf) >= 60 * GAP_MINUTES
    return np.cumsum(begins(assessor) | is_late) - 1


def quarters(session: Integers) -> tuple[Integers, Integers]:
    """Return the size of each act's session, and the quarter of it that the act is in, from 0.

    >>> [each.tolist() for each in quarters(np.array([0, 0, 0, 0, 0, 1]))]
    [[5, 5, 5, 5, 5, 1], [0, 0, 1, 2, 3, 0]]
    """
    starts = np.flatnonzero(begins(session))
    sizes = np.diff(np.append(starts, len(session)))
    place = np.arange(len(session)) - np.repeat(starts, sizes)
    size = np.repeat(sizes, sizes)
    return size, 4 * place // np.maximum(size, 1)


def expected(values: Floats, strata: Integers) -> Floats:
    """Return for each value the mean of its stratum; strata are numbered from 0: shape [n]."""
    n = np.bincount(strata)
    return (totals(strata, values, len(n)) / np.maximum(n, 1))[strata]


def trends(
    scores: Floats, values: Floats, strata: Integers, groups: Integers
) -> tuple[Floats, Floats]:
    """Return by group how values go with scores within strata: z, and its two-sided p.

    z = sum (T - E T) / sqrt(sum Var T), where T is a stratum's sum of score times value, and E T
    and Var T are those over all orders of its values (Mantel 1963, JASA 58). Strata and groups are
    numbered from 0, and a stratum is in one group. Both are NaN where nothing varies.
    """
    of_scores, of_values = (each - expected(each, strata) for each in (scores, values))
    n = np.bincount(strata)
    sums = totals(strata, of_scores * of_values, len(n))
    squared = [totals(strata, each**2, len(n)) for each in (of_scores, of_values)]
    variance = squared[0] * squared[1] / np.maximum(n - 1, 1)
    of_stratum = np.zeros(len(n), dtype=np.int64)
    of_stratum[strata] = groups
    n_groups = int(groups.max(initial=-1)) + 1
    whole, spread = (totals(of_stratum, each, n_groups) for each in (sums, variance))
    z = np.full(n_groups, np.nan)
    np.divide(whole, np.sqrt(spread), out=z, where=spread > NOTHING)
    return z, np.array([erfc(abs(each) / sqrt(2)) for each in z])
