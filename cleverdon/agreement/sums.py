"""Tables of counts, added up over what an interval leaves out in turn: topics, or documents."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from cleverdon.agreement.ratings import Ratings, same_rows
from cleverdon.trec.arrays import Floats, Integers, Mask, totals

# Below this a count is what is left of a sum of fractions when these are taken away again.
ROUNDING = 1e-9
# From tables [n x grades x grades] to [n].
Formula = Callable[[Floats], Floats]


class Units(NamedTuple):
    """What each group of items is made of: its topics or, of a single topic, its documents.

    Of unit u there are `n[u]` alike in `group[u]`. Row i of the ratings is in `unit[i]`, to which
    it brings items that weigh `share[i]`. Each group has `n_of` units, which are documents if
    `of_documents`.
    """

    group: Integers
    n: Floats
    unit: Integers
    share: Floats
    n_of: Integers
    of_documents: Mask

    @classmethod
    def of(cls, ratings: Ratings, group: Integers, n_groups: int) -> "Units":
        """Return the units of rows in these groups, which are numbered from 0."""
        topics, first = same_rows(group, ratings.topic)
        of_documents = np.bincount(group[first], minlength=n_groups) == 1
        is_row = of_documents[group]
        rows = np.arange(len(group))
        unit, first = same_rows(np.where(is_row, len(group) + rows, topics))
        n = np.where(is_row, ratings.n, 1)[first].astype(np.float64)
        share = np.where(is_row, 1, ratings.n) * ratings.weight
        n_of = np.bincount(group[first], n, n_groups).astype(np.int64)
        return cls(group[first], n, unit, share, n_of, of_documents)


class Values(NamedTuple):
    """The value of each group, and the value of each unit's group without one such unit."""

    of_groups: Floats
    without: Floats


class Counts(NamedTuple):
    """Tables [grades x grades] of each group's items, and of the unit's group without a unit."""

    of_groups: Floats
    without: Floats

    @classmethod
    def of(
        cls, ratings: Ratings, units: Units, n_groups: int, *, as_coincidences: bool = False
    ) -> "Counts":
        """Add up the ordered pairs of grades of items.

        An item counts its weight or, as coincidences, that times as many as it has grades.
        """
        grades = np.arange(len(ratings.grades))
        counts = (ratings.place[:, :, None] == grades).sum(axis=1).astype(np.float64)
        m = counts.sum(axis=1)
        ordered = counts[:, :, None] * counts[:, None, :]
        ordered[:, grades, grades] -= counts
        pairs = m - 1 if as_coincidences else m * (m - 1)
        tables = ordered * (units.share / pairs)[:, None, None]
        of_units = _added(units.unit, tables, len(units.group))
        whole = _added(units.group, of_units * units.n[:, None, None], n_groups)
        return cls(_clean(whole), _clean(whole[units.group] - of_units))


def of_items(counts: Counts, value: Formula) -> Values:
    return Values(value(counts.of_groups), value(counts.without))


class PairCounts(NamedTuple):
    """Tables [grades x grades] of each two raters of each group, the lower number down.

    `without` has them without a unit that has items of both: of which `pair` and which `unit`.
    """

    of_pairs: Floats
    group: Integers
    n_groups: int
    without: Floats
    pair: Integers
    unit: Integers

    @classmethod
    def of(cls, ratings: Ratings, units: Units, n_groups: int) -> "PairCounts":
        row, rater, place = ratings.pairs()
        is_turned = rater[:, 0] > rater[:, 1]
        place = np.where(is_turned[:, None], place[:, ::-1], place)
        low, high, unit = rater.min(axis=1), rater.max(axis=1), units.unit[row]
        size = len(ratings.grades)
        which, first = same_rows(unit, low, high)
        cell = which * size * size + place[:, 0] * size + place[:, 1]
        counts = np.bincount(cell, units.share[row], len(first) * size * size)
        tables, unit = counts.reshape(-1, size, size), unit[first]
        pair, of_pair = same_rows(units.group[unit], low[first], high[first])
        whole = _added(pair, tables * units.n[unit][:, None, None], len(of_pair))
        without = whole[pair] - tables
        return cls(whole, units.group[unit][of_pair], n_groups, without, pair, unit)


def of_pairs(counts: PairCounts, units: Units, value: Formula) -> Values:
    """Return the mean of a formula over the pairs of raters, weighted by their items.

    Pairs of whom it is undefined are left out.
    """
    whole, less = (_weighted(each, value) for each in (counts.of_pairs, counts.without))
    sums = [totals(counts.group, each, counts.n_groups) for each in whole]
    # A unit changes its own pairs alone.
    changes = [
        totals(counts.unit, new - old[counts.pair], len(units.group))
        for new, old in zip(less, whole, strict=True)
    ]
    without = [each[units.group] + change for each, change in zip(sums, changes, strict=True)]
    return Values(_mean(sums[0], sums[1]), _mean(without[0], without[1]))


def _weighted(tables: Floats, value: Formula) -> tuple[Floats, Floats]:
    n, found = tables.sum(axis=(1, 2)), value(tables)
    is_known = np.isfinite(found)
    return np.where(is_known, n * found, 0), np.where(is_known, n, 0)


def _mean(above: Floats, below: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(below > 0, above / below, np.nan)
    return found


def _added(where: Integers, tables: Floats, n: int) -> Floats:
    """Add up tables in n places, cell by cell: faster than np.add.at."""
    size = tables.shape[1]
    cells = where[:, None] * size * size + np.arange(size * size)
    return totals(cells.ravel(), tables.ravel(), n * size * size).reshape(n, size, size)


def _clean(tables: Floats) -> Floats:
    return np.where(np.abs(tables) < ROUNDING, 0, tables)
