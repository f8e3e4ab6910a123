"""Coefficients of agreement with their intervals, of all items or of each group of them."""

from collections.abc import Iterator
from functools import cached_property
from math import isfinite
from typing import NamedTuple, Self

import numpy as np

from cleverdon.agreement.coefficients import BY_KEY, COEFFICIENTS, Coefficient, On
from cleverdon.agreement.intervals import jackknife
from cleverdon.agreement.ratings import Ratings, same_rows
from cleverdon.agreement.sums import Counts, PairCounts, Units, Values, of_items, of_pairs
from cleverdon.trec.arrays import Floats, Integers

# A figure of fewer documents is shown in gray.
ENOUGH = 20
# An interval of fewer topics is wide, and rests on how much these few differ.
FEW_TOPICS = 10
NO_ITEM = "No document was judged by two people."
ONE_UNIT = "No interval: there is only one document."
SAME = "No interval: it is the same without any one of the {}."
UNDEFINED = "No interval: it is undefined without one of the {}."


class Figure(NamedTuple):
    """A coefficient of n items, with its 95 % interval; None where one is undefined.

    `n_units` topics are left out in turn or, of one topic, documents: `of_documents`. `n_raters`
    pairs is how many the mean of a coefficient of two is over. `why` says what is undefined.
    """

    coefficient: Coefficient
    on: On
    value: float | None
    low: float | None
    high: float | None
    n: int
    n_units: int
    of_documents: bool
    why: str = ""

    @property
    def is_enough(self) -> bool:
        return self.n >= ENOUGH

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.low is None or self.high is None else (self.low, self.high)


class Groups:
    """Items in groups, numbered from 0, all in one by default. `level` is the first relevant grade.

    A coefficient is computed when it is asked for.
    """

    def __init__(
        self, ratings: Ratings, level: int, group: Integers | None = None, n_groups: int = 1
    ) -> None:
        self.ratings, self.n_groups = ratings, n_groups
        self.group = np.zeros(len(ratings.n), dtype=np.int64) if group is None else group
        self.units = Units.of(ratings, self.group, n_groups)
        is_relevant = np.array([grade >= level for grade in ratings.grades], dtype=np.float64)
        self.sides = np.stack([1 - is_relevant, is_relevant])

    @classmethod
    def by_topic(cls, ratings: Ratings, level: int) -> Self:
        return cls(ratings, level, ratings.topic, len(ratings.topics))

    @classmethod
    def by_pair(cls, ratings: Ratings, level: int) -> tuple[list[tuple[int, int]], Self]:
        """Return each two raters who have an item in common, by number, and their groups."""
        pairs = ratings.in_pairs()
        low, high = pairs.rater.min(axis=1), pairs.rater.max(axis=1)
        group, first = same_rows(low, high)
        both = list(zip(low[first].tolist(), high[first].tolist(), strict=True))
        return both, cls(pairs, level, group, len(both))

    @classmethod
    def by_rater(cls, ratings: Ratings, level: int, reference: int | None = None) -> Self:
        """Compare each rater with the others, or with the one who is a reference for all.

        An item counts once with each of them. Groups are numbered as raters; in each row of the
        ratings the group's rater is the first.
        """
        turned = ratings.in_pairs().turned()
        if reference is not None:
            turned = turned.only(turned.rater[:, 1] == reference)
        return cls(turned, level, turned.rater[:, 0], len(ratings.raters))

    @cached_property
    def n(self) -> Integers:
        """How many items each group has."""
        return np.bincount(self.group, self.ratings.n, self.n_groups).astype(np.int64)

    @property
    def n_weighted(self) -> Integers:
        """How many items of each group weigh another number than 1."""
        weighted = self.ratings.n * (self.ratings.weight != 1)
        return np.bincount(self.group, weighted, self.n_groups).astype(np.int64)

    @cached_property
    def _items(self) -> Counts:
        return Counts.of(self.ratings, self.units, self.n_groups)

    @cached_property
    def _coincidences(self) -> Counts:
        return Counts.of(self.ratings, self.units, self.n_groups, as_coincidences=True)

    @cached_property
    def _pairs(self) -> PairCounts:
        return PairCounts.of(self.ratings, self.units, self.n_groups)

    def values(self, its: Coefficient, on: On) -> Values:
        """Return the value of each group, and without each unit; NaN where it is undefined."""
        is_binary = on == "relevance"
        grades = np.array((0, 1) if is_binary else self.ratings.grades, dtype=np.float64)

        def value(tables: Floats) -> Floats:
            seen = self.sides @ tables @ self.sides.T if is_binary else tables
            return its.value(seen, grades)

        if its.counted == "pairs":
            return of_pairs(self._pairs, self.units, value)
        return of_items(self._items if its.counted == "items" else self._coincidences, value)

    def figures(self, key: str, on: On) -> list[Figure]:
        """Return a coefficient of each group."""
        return self.figures_of(BY_KEY[key], on)

    def figures_of(self, its: Coefficient, on: On) -> list[Figure]:
        """Return what a formula says of each group, also one that is not in the table."""
        values = self.values(its, on)
        low, high = jackknife(values, self.units, its.lowest, its.highest)
        is_known = np.ones(self.n_groups, dtype=bool)
        is_known[self.units.group[~np.isfinite(values.without)]] = False
        columns = (values.of_groups, low, high, self.n, self.units.n_of, self.units.of_documents)
        rows = zip(*(each.tolist() for each in columns), is_known.tolist(), strict=True)
        return [_figure(its, on, row) for row in rows]

    def every(self) -> Iterator[tuple[Figure, ...]]:
        """Yield the figures of each coefficient on relevance, then on grades, by group."""
        for on in ("relevance", "grades"):
            for each in COEFFICIENTS:
                if on in each.on:
                    yield tuple(self.figures(each.key, on))


def _figure(
    its: Coefficient, on: On, row: tuple[float, float, float, int, int, bool, bool]
) -> Figure:
    *ends, n, n_units, of_documents, is_known = row
    value, low, high = (each if isfinite(each) else None for each in ends)
    figure = Figure(its, on, value, low, high, n, n_units, of_documents)
    return figure._replace(why=_why(figure, is_known=is_known))


def _why(figure: Figure, *, is_known: bool) -> str:
    if not figure.n:
        return NO_ITEM
    if figure.value is None:
        return figure.coefficient.undefined
    if figure.interval:
        return ""
    units = "documents" if figure.of_documents else "topics"
    return ONE_UNIT if figure.n_units < 2 else (SAME if is_known else UNDEFINED).format(units)


def in_order(ratings: Ratings) -> Integers:
    """Count [grades x grades] each two grades of an item, the first in the row down."""
    row, _, place = ratings.pairs()
    size = len(ratings.grades)
    cell = place[:, 0] * size + place[:, 1]
    counts = np.bincount(cell, ratings.n[row], size * size)
    return counts.reshape(size, size).astype(np.int64)
