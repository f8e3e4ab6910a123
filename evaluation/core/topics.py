"""One run on each topic, among all runs."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from math import isnan
from typing import NamedTuple

import numpy as np

from cleverdon.trec.arrays import Floats, Integers

# Values equal to these decimals share a place, as on a board.
DECIMALS = 4
FIRST_PLACES = 3


class Among(NamedTuple):
    """All runs on a topic in five numbers, and a run's place among them, from 1.

    The place is None to a reader who may not know it, or if the topic does not count for the run.
    """

    summary: tuple[float, ...]
    place: int | None

    @property
    def median(self) -> float:
        return self.summary[2]


def among(values: Floats, own: int, sign: int) -> list[Among | None]:
    """Return a run's place among all on each topic; `values` is [runs x topics], `own` its row.

    `sign` is 1 where more is better, else -1. The five numbers are the lowest, the quartiles with
    the median, and the highest. Runs with NaN on a topic are left out; None where all are.
    """
    shown = sign * values.round(DECIMALS)
    places = 1 + (shown > shown[own]).sum(axis=0)
    counts = ~np.isnan(values[own])
    fives = _quantiles(values, (0, 0.25, 0.5, 0.75, 1))
    return [
        Among(five, place if own else None) if five else None
        for five, place, own in zip(fives, places.tolist(), counts, strict=True)
    ]


def spread(values: Floats) -> list[Among | None]:
    """Return only the worst, median and best of all runs on each topic; `values` as in `among`.

    Both quartiles are the median, so that no box is drawn.
    """
    fives = _quantiles(values, (0, 0.5, 0.5, 0.5, 1))
    return [Among(five, None) if five else None for five in fives]


def hardness(values: Floats, topic: int, sign: int) -> tuple[int, int, float] | None:
    """Return a topic's place by the median of all runs, the hardest first, of how many; the median.

    `values` as in `among`; None if the topic counts for no run.
    """
    medians = [each.median if each else np.nan for each in spread(values)]
    own, n_topics = medians[topic], int((~np.isnan(medians)).sum())
    return None if np.isnan(own) else (place(medians, own, -sign), n_topics, own)


def _quantiles(values: Floats, shares: tuple[float, ...]) -> list[tuple[float, ...] | None]:
    columns = np.ascontiguousarray(values.T)
    if columns.size and not np.isnan(columns).any():  # all at once
        return list(map(tuple, np.quantile(columns, shares, axis=1).T.tolist()))
    known = (column[~np.isnan(column)] for column in columns)
    return [tuple(np.quantile(each, shares).tolist()) if len(each) else None for each in known]


def best_median_worst(values: Floats, signs: Sequence[int]) -> dict[str, Floats]:
    """Return three values [topics x measures] of `values` [runs x topics x measures].

    Runs with NaN on a topic are left out; NaN where all are. `signs` are -1 where less is better.
    """
    rising = np.sort(values, axis=0)  # NaN last
    n = (~np.isnan(values)).sum(axis=0)

    def at(index: Integers) -> Floats:
        values: Floats = np.take_along_axis(rising, index.clip(0)[None], axis=0)[0]
        return values

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
    return places(values, [own], sign)[0]


def places(values: Sequence[float], some: Iterable[float], sign: int) -> list[int]:
    """Return the place of some values among all, as `place`."""
    ordered = sorted(-sign * round(value, DECIMALS) for value in values if not isnan(value))
    return [1 + bisect_left(ordered, -sign * round(value, DECIMALS)) for value in some]
