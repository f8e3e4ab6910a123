"""How runs stand: the interval of each score, the places a run may have, and its class."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from measures.family import Aggregation, Best, Measure
from measures.scoring.scores import LEAST
from significance.intervals import intervals
from significance.pairs import told_apart
from significance.places import classes, place_sets
from trec.arrays import Floats, Mask

# With fewer no two runs differ at 95 %: of five topics all signs agree in 2 of 32 draws.
FEWEST_TOPICS = 6


class Standing(NamedTuple):
    """A run by one measure: the ends of its interval, and its places and class, if it has any.

    Intervals are of one run each, at 95 %. Places and classes hold for all runs at once, at 95 %.
    """

    low: float
    high: float
    best: int | None = None
    worst: int | None = None
    number: int | None = None  # of the class

    @property
    def letter(self) -> str:
        """The class as a letter, A for what may be the best; "" without one."""
        return chr(ord("A") + self.number - 1) if self.number else ""


def standings(
    values: Floats, counted: Mask, measures: Sequence[Measure]
) -> list[list[Standing | None]]:
    """Return the standings of each run, one a measure; None where there are none.

    `values` are [runs x topics x measures], `counted` [runs x topics]. An interval rests on the
    topics of its run, as the score does; places and classes rest on those that count for every run.
    A sum or a micro-average is no mean over topics, so it has none.
    """
    columns = [_of_measure(values[:, :, n], counted, each) for n, each in enumerate(measures)]
    return [list(row) for row in zip(*columns, strict=True)]


def _of_measure(values: Floats, counted: Mask, measure: Measure) -> list[Standing | None]:
    """Return the standings by one measure, whose values are [runs x topics]."""
    family = measure.family
    if family.aggregation not in {Aggregation.MEAN, Aggregation.GEOMETRIC}:
        return [None] * len(values)
    is_geometric = family.aggregation is Aggregation.GEOMETRIC
    terms = np.log(np.maximum(values, LEAST)) if is_geometric else values
    alone = [
        _alone(row[own], np.exp if is_geometric else np.asarray)
        for row, own in zip(terms, counted, strict=True)
    ]
    common = terms[:, counted.all(axis=0)]
    has_places = family.best is not Best.NONE and common.shape[1] >= FEWEST_TOPICS
    if not has_places or not np.isfinite(common).all():
        return list(alone)
    strength = -common if family.best is Best.LOWEST else common
    better = told_apart(strength)
    places, own = place_sets(better), classes(better)
    among = zip(places.best.tolist(), places.worst.tolist(), own.tolist(), strict=True)
    return [each and Standing(*each[:2], *place) for each, place in zip(alone, among, strict=True)]


def _alone(terms: Floats, transform: Callable[[Floats], Floats]) -> Standing | None:
    """Return the interval of one run, over its own topics; None of too few, or with a gap."""
    if len(terms) < FEWEST_TOPICS or not np.isfinite(terms).all():
        return None
    low, high = (float(each[0]) for each in intervals(terms[None], transform=transform))
    return Standing(low, high)
