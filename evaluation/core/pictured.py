"""What pictures of a board and of its pool show, as numbers."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from math import fsum
from typing import NamedTuple

import numpy as np

from cleverdon.significance.randomization import SAME
from cleverdon.trec.arrays import Floats, Integers
from evaluation.core.reusability import SEVERAL, only_groups
from evaluation.core.topics import Among, spread

Judged = tuple[str, str, str]  # topic, docno, and when, in an order that sorts


class TopicSpread(NamedTuple):
    """A topic by its index, and the worst, median and best of all runs on it."""

    topic: int
    among: Among


def by_difficulty(values: Floats, sign: int) -> list[TopicSpread]:
    """Return the topics from the hardest to the easiest by their median over runs.

    `values` are [runs x topics], `sign` is 1 where more is better, else -1. Topics that count for
    no run are left out.
    """
    found = [TopicSpread(n, each) for n, each in enumerate(spread(values)) if each]
    return sorted(found, key=lambda each: sign * each.among.median)


def by_mean(values: Floats) -> list[int]:
    """Return the indices of the topics that count for a run, from the highest mean to the lowest.

    `values` are [runs x topics].
    """
    columns = [column[~np.isnan(column)].tolist() for column in values.T]
    known = [n for n, column in enumerate(columns) if column]
    # A sum that is exact does not depend on the order of runs.
    return sorted(known, key=lambda n: -fsum(columns[n]) / len(columns[n]))


def neighbors(values: Floats, each: int) -> Floats:
    """Return the mean of so many neighboring columns at a time, [rows x groups]; NaN of none.

    >>> neighbors(np.array([[1.0, 3.0, 4.0], [np.nan, 2.0, np.nan]]), 2).tolist()
    [[2.0, 4.0], [2.0, nan]]
    """
    n_rows, n = values.shape
    filled = np.full((n_rows, -(-n // each) * each), np.nan)
    filled[:, :n] = values
    groups = filled.reshape(n_rows, -1, each)
    n_known = (~np.isnan(groups)).sum(axis=2)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nansum(groups, axis=2) / n_known)


def between(names: Sequence[str]) -> str:
    """Return the first and the last of some names.

    >>> between(["7"]), between(["7", "3", "12"])
    ('7', '7 to 12')
    """
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def found_alone(teams_of_relevant: Iterable[Set[int]]) -> Counter[int]:
    """Count by team the relevant documents that its runs alone contributed to the pool."""
    counts = Counter(only_groups(teams_of_relevant).tolist())
    del counts[SEVERAL]
    return counts


def gain_curve(judged: Iterable[Judged], relevant: Set[tuple[str, str]]) -> Integers:
    """Return how many relevant documents were found by the first, second, ... document judged.

    A document counts once, where it was judged first.
    """
    first: dict[tuple[str, str], str] = {}
    for topic, docno, at in judged:
        first[topic, docno] = min(at, first.get((topic, docno), at))
    ordered = sorted(first, key=lambda pair: (first[pair], pair))
    return np.cumsum([pair in relevant for pair in ordered], dtype=np.int64)


def thinned(n: int, most: int) -> list[int]:
    """Return at most `most` indices below n at equal distances, the last of them n - 1.

    >>> thinned(10, 4), thinned(3, 4)
    ([0, 3, 6, 9], [0, 1, 2])
    """
    places: list[int] = np.linspace(0, n - 1, min(n, most)).round().astype(int).tolist()
    return places


def improvements(mine: Sequence[float], other: Sequence[float]) -> list[float]:
    """Return by how much percent a run is higher than another, on the topics where they differ.

    It is the difference in percent of the other's value; topics where that is 0 have no such
    number and are left out, as are those that do not count for both.
    """
    pairs = zip(mine, other, strict=True)
    known = [(a, b) for a, b in pairs if b and not np.isnan(a - b) and abs(a - b) > SAME]
    # To digits that the order of a sum does not change.
    return [round(100 * (a - b) / b, 6) for a, b in known]
