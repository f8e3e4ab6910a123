"""One run on each topic, among all runs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from trec.arrays import Floats, Integers

# Values that are equal to so many decimals share a place, as on a board.
DECIMALS = 4
FIRST_PLACES = 3


class Among(NamedTuple):
    """The values of a topic, [runs], in five numbers, and a run's place among them, from 1; None where it is not told."""

    summary: tuple[float, ...]
    place: int | None

    @property
    def median(self) -> float:
        return self.summary[2]


def among(values: Floats, own: int, sign: int) -> list[Among]:
    """Return, for each topic, where a run stands among all; `values` is [runs x topics], `own` its row.

    `sign` is 1 where more is better, else -1. The five numbers are the lowest, both quartiles, the median and the highest.
    """
    fives = np.quantile(values, (0, 0.25, 0.5, 0.75, 1), axis=0).T
    shown = sign * values.round(DECIMALS)
    places = 1 + (shown > shown[own]).sum(axis=0)
    return [
        Among(tuple(five), place)
        for five, place in zip(fives.tolist(), places.tolist(), strict=True)
    ]


def spread(values: Floats) -> list[Among]:
    """Return of each topic only the worst, the median and the best of all runs; `values` is [runs x topics].

    There is no box then: both quartiles are the median.
    """
    low, half, high = np.quantile(values, (0, 0.5, 1), axis=0).tolist()
    return [
        Among((least, middle, middle, middle, most), None)
        for least, middle, most in zip(low, half, high, strict=True)
    ]


def best_median_worst(values: Floats, signs: Sequence[int]) -> dict[str, Floats]:
    """Return three values of all runs on each topic, [topics x measures], of `values` [runs x topics x measures].

    Runs with NaN on a topic are left out there; NaN where that is all of them. `signs` are -1 where less is better.
    """
    rising = np.sort(values, axis=0)  # NaN last
    n = (~np.isnan(values)).sum(axis=0)

    def at(index: Integers) -> Floats:
        found: Floats = np.take_along_axis(rising, index.clip(0)[None], axis=0)[0]
        return found

    low, high = at(0 * n), at(n - 1)
    is_more = np.array(signs) > 0
    return {
        "best": np.where(is_more, high, low),
        "median": (at((n - 1) // 2) + at(n // 2)) / 2,
        "worst": np.where(is_more, low, high),
    }


def place(values: Sequence[float], own: float, sign: int) -> int:
    """Return the place of a value among all, from 1.

    >>> place([0.5, 0.4, 0.4, 0.3], 0.4, 1)
    2
    """
    own = sign * round(own, DECIMALS)
    return 1 + sum(sign * round(value, DECIMALS) > own for value in values)
