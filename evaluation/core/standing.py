"""How runs stand: the interval of each score, the places a run may have, and its class."""

from collections.abc import Sequence
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
        """The class as a letter, A for what cannot be told from the best run; "" without one."""
        return chr(ord("A") + self.number - 1) if self.number else ""


def standings(
    values: Floats, counted: Mask, measures: Sequence[Measure]
) -> list[list[Standing | None]]:
    """Return the standings of each run, one a measure; None where there are none.

    `values` are [runs x topics x measures], `counted` [runs x topics]. They rest on the topics that
    count for every run. A sum or a micro-average is no mean over topics, so it has none.
    """
    topics = counted.all(axis=0)
    columns = [_of_measure(values[:, topics, n], each) for n, each in enumerate(measures)]
    return [list(row) for row in zip(*columns, strict=True)]


def _of_measure(values: Floats, measure: Measure) -> list[Standing | None]:
    """Return the standings by one measure, whose values are [runs x topics]."""
    n_runs, n_topics = values.shape
    family = measure.family
    is_mean = family.aggregation in {Aggregation.MEAN, Aggregation.GEOMETRIC}
    if not is_mean or n_topics < FEWEST_TOPICS or not np.isfinite(values).all():
        return [None] * n_runs
    is_geometric = family.aggregation is Aggregation.GEOMETRIC
    terms = np.log(np.maximum(values, LEAST)) if is_geometric else values
    ends = intervals(terms, transform=np.exp) if is_geometric else intervals(terms)
    low, high = (each.tolist() for each in ends)
    if family.best is Best.NONE:
        return [Standing(*each) for each in zip(low, high, strict=True)]
    strength = -terms if family.best is Best.LOWEST else terms
    better = told_apart(strength)
    places, own = place_sets(better), classes(better, strength.mean(axis=1))
    rows = zip(low, high, places.best.tolist(), places.worst.tolist(), own.tolist(), strict=True)
    return [Standing(*each) for each in rows]
