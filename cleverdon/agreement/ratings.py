"""Grades that several raters gave to the same items: what every coefficient of agreement reads."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, repeat
from math import isfinite
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from cleverdon.trec.arrays import Floats, Integers, Mask
from cleverdon.trec.ordering import natural_key

# In place of a rater and of a grade where there is no further one.
NONE = -1
# An item: its topic, who gave it which grade, in order, and any whole number of a time.
Item = tuple[str, Sequence[tuple[str, int]], int]


@dataclass(frozen=True, eq=False)
class Ratings:
    """Items x raters, kept without its gaps; items with equal grades may share a row.

    Row i stands for `n[i]` items of topic `topic[i]`. `rater[i, j]` gave them the grade at
    `place[i, j]` of the scale, from 0; both are -1 where there is no j-th grade. A row may have its
    grades in an order, such as the official one first. `week` is any number of a time. An item of a
    row counts `weight[i]` times in every coefficient, and once in every number of items.
    """

    grades: tuple[int, ...]
    topics: tuple[str, ...]
    raters: tuple[str, ...]
    topic: Integers  # [rows], as the others but rater and place, which are [rows x most raters]
    rater: Integers
    place: Integers
    n: Integers
    week: Integers
    weight: Floats

    @classmethod
    def of(
        cls,
        matrix: Sequence[Sequence[int | None]],
        grades: Sequence[int],
        *,
        topics: Sequence[str] = (),
        weights: Sequence[float] = (),
    ) -> Self:
        """Return the ratings of a matrix [items x raters], None where there is no grade.

        `topics` are those of the items; without any they are all of one. `weights` are as in
        `from_items`. ValueError for a grade that is not on the scale.

        >>> Ratings.of([[0, 0, None], [1, 0, 1], [None, 1, None]], [0, 1]).n_items
        2
        """
        named = topics or [""] * len(matrix)
        rows = (
            [(str(n), each) for n, each in enumerate(row) if each is not None] for row in matrix
        )
        return cls.from_items(zip(named, rows, [0] * len(matrix), strict=True), grades, weights)

    @classmethod
    def from_items(
        cls, items: Iterable[Item], grades: Sequence[int], weights: Sequence[float] = ()
    ) -> Self:
        """Return the ratings of the items that two raters or more have graded.

        `weights` are those of the items, in their order; without any each weighs 1. ValueError
        where a grade is not on the scale, somebody has graded an item twice, a weight is not a
        number above 0, or there are not as many weights as items.
        """
        every = items if not weights else list(items)
        weighing = zip(every, weights or repeat(1.0), strict=bool(weights))
        alike = Counter(
            (topic, tuple(given), week, _weight(weight))
            for (topic, given, week), weight in weighing
            if len(given) > 1
        )
        topics = sorted({topic for topic, *_ in alike}, key=natural_key)
        raters = sorted({name for _, given, *_ in alike for name, _ in given})
        numbers = {name: n for n, name in enumerate(raters)}
        scale = {grade: n for n, grade in enumerate(grades)}
        most = max((len(given) for _, given, *_ in alike), default=2)
        rater = np.full((len(alike), most), NONE, dtype=np.int64)
        place = rater.copy()
        for row, (topic, given, *_) in enumerate(alike):
            _check(topic, given, scale)
            rater[row, : len(given)] = [numbers[name] for name, _ in given]
            place[row, : len(given)] = [scale[grade] for _, grade in given]
        at = {topic: n for n, topic in enumerate(topics)}
        columns = [[at[topic], week, n] for (topic, _, week, _), n in alike.items()]
        rest = np.array(columns, dtype=np.int64).reshape(-1, 3).T
        names = tuple(grades), tuple(topics), tuple(raters)
        weight = np.array([weight for *_, weight in alike], dtype=np.float64)
        return cls(*names, rest[0], rater, place, n=rest[2], week=rest[1], weight=weight)

    @property
    def n_items(self) -> int:
        return int(self.n.sum())

    @property
    def n_pairs(self) -> int:
        """How many times two grades of an item can be compared."""
        m = (self.place >= 0).sum(axis=1)
        return int((self.n * (m * (m - 1) // 2)).sum())

    @property
    def is_weighted(self) -> bool:
        return bool((self.weight != 1).any())

    def _with(self, **parts: Any) -> Self:
        return replace(self, **parts)

    def only(self, rows: Mask) -> Self:
        names = ("topic", "rater", "place", "n", "week", "weight")
        return self._with(**{name: getattr(self, name)[rows] for name in names})

    def compared(self) -> Self:
        """Return the items that two raters or more have graded."""
        return self.only((self.place >= 0).sum(axis=1) > 1)

    def without(self, rater: int) -> Self:
        """Return the ratings as if this rater had given none."""
        others = self.rater != rater
        parts = {name: np.where(others, getattr(self, name), NONE) for name in ("rater", "place")}
        return self._with(**parts).compared()

    def pairs(self) -> tuple[Integers, Integers, Integers]:
        """Return each two grades of a row, in their order: row [n], raters and places [n x 2]."""
        both = [list(pair) for pair in combinations(range(self.place.shape[1]), 2)]
        rows = [np.flatnonzero((self.place[:, pair] >= 0).all(axis=1)) for pair in both]
        sides = [
            np.concatenate([each[at][:, pair] for at, pair in zip(rows, both, strict=True)])
            for each in (self.rater, self.place)
        ]
        return np.concatenate(rows), sides[0], sides[1]

    def in_pairs(self) -> Self:
        """Return each two grades of an item as an item of their own, in their order."""
        row, rater, place = self.pairs()
        topic, week, weight = self.topic[row], self.week[row], self.weight[row]
        weighing = np.unique(weight, return_inverse=True)[1].ravel()
        which, first = same_rows(topic, week, weighing, *rater.T, *place.T)
        n = np.bincount(which, self.n[row], len(first)).astype(np.int64)
        parts: dict[str, Any] = {"topic": topic, "week": week, "weight": weight}
        parts |= {"rater": rater, "place": place}
        return self._with(n=n, **{name: each[first] for name, each in parts.items()})

    def turned(self) -> Self:
        """Return pairs as of `in_pairs` twice: also with the second grade first."""
        parts = {name: getattr(self, name) for name in ("topic", "n", "week", "weight")}
        both = {name: np.concatenate([each, each]) for name, each in parts.items()}
        sides = {name: getattr(self, name) for name in ("rater", "place")}
        both |= {name: np.concatenate([each, each[:, ::-1]]) for name, each in sides.items()}
        return self._with(**both)


def same_rows(*columns: NDArray[np.integer]) -> tuple[Integers, Integers]:
    """Return which different row each row is, from 0, and where each of these comes first."""
    code = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        low = int(column.min(initial=0))
        code = code * (int(column.max(initial=0)) - low + 1) + (column - low)
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    return which.ravel(), first


def _weight(weight: float) -> float:
    if not (isfinite(weight) and weight > 0):
        raise ValueError(f"{weight} is not a weight: a weight is a number above 0.")
    return weight


def _check(topic: str, given: Sequence[tuple[str, int]], scale: Mapping[int, int]) -> None:
    names = [name for name, _ in given]
    for name, grade in given:
        if names.count(name) > 1:
            raise ValueError(f"{name} is compared with themselves on topic {topic}.")
        if grade not in scale:
            known = ", ".join(map(str, scale))
            raise ValueError(f"{grade} is not a grade of the scale {known}.")
