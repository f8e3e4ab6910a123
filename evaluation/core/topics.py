"""One run on each topic, among all runs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from trec.arrays import Floats, Integers

# Values that are equal to so many decimals share a place, as on a board.
DECIMALS = 4
FIRST_PLACES = 3


class Among(NamedTuple):
    """The values of a topic, [runs], in five numbers, and a run's place among them, from 1; None where it is not told, or the topic does not count for the run."""

    summary: tuple[float, ...]
    place: int | None

    @property
    def median(self) -> float:
        return self.summary[2]


def among(values: Floats, own: int, sign: int) -> list[Among | None]:
    """Return, for each topic, where a run stands among all; `values` is [runs x topics], `own` its row.

    `sign` is 1 where more is better, else -1. The five numbers are the lowest, both quartiles, the median and the highest.
    Runs with NaN on a topic are left out there; None where that is all of them.
    """
    shown = sign * values.round(DECIMALS)
    places = 1 + (shown > shown[own]).sum(axis=0)
    counts = ~np.isnan(values[own])
    found = zip(_quantiles(values, (0, 0.25, 0.5, 0.75, 1)), places.tolist(), counts, strict=True)
    return [Among(five, place if own else None) if five else None for five, place, own in found]


def spread(values: Floats) -> list[Among | None]:
    """Return of each topic only the worst, the median and the best of all runs; `values` is [runs x topics], with NaN as in `among`.

    There is no box then: both quartiles are the median.
    """
    fives = _quantiles(values, (0, 0.5, 0.5, 0.5, 1))
    return [Among(five, None) if five else None for five in fives]


def _quantiles(values: Floats, shares: tuple[float, ...]) -> list[tuple[float, ...] | None]:
    known = (column[~np.isnan(column)] for column in values.T)
    return [tuple(np.quantile(each, shares).tolist()) if len(each) else None for each in known]


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
