"""Gains of the documents retrieved and of the best possible ranking, and their running totals."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cleverdon.measures.family import Parameter
from cleverdon.measures.inputs.evidence import Evidence, Hits
from cleverdon.measures.inputs.universe import Ideal
from cleverdon.trec.arrays import Floats, Grades, Integers, Mask, totals

# Pairs of a grade and its gain.
GradeGains = Sequence[tuple[int, float]]

# The highest grade g for which a double holds 2^g.
HIGHEST = 1023

GAINS = Parameter(
    name="gains",
    kind=tuple,
    optional=True,
    meaning="the gains of grades, {1:1,2:3} for example; a grade from 0 that is left out keeps "
    "its own",
    allowed=lambda pairs: all(grade >= 0 and math.isfinite(gain) for grade, gain in pairs),
)


@dataclass(frozen=True, eq=False)
class Gained:
    """The hits with their `gains`, and the best possible ranking with its gains (`best`)."""

    evidence: Evidence
    hits: Hits
    gains: Floats
    ideal: Ideal
    best: Floats

    def best_total(self, values: Floats, rows: Mask | slice = slice(None)) -> Floats:
        """Add up values of these documents of the best ranking, per ranking of their topic."""
        topics, n_topics = self.ideal.topics[rows], self.evidence.universe.n_topics
        return self.evidence.of_topics(totals(topics, values, n_topics))


def gained_by(evidence: Evidence, gains: GradeGains = (), dcg: str = "log2") -> Gained:
    """Return the gains down to the cutoff; the best ranking is not cut."""
    universe, exponential = evidence.universe, dcg == "exp-log2"
    if gains:
        by_entry = gains_of(universe.grades, gains, exponential=exponential)
        chosen = np.flatnonzero(by_entry[evidence.hits.entries])
        hits, ideal = evidence.hits.where(chosen), universe.ideal_by(by_entry)
        values, best = by_entry[hits.entries], by_entry[ideal.entries]
    else:
        hits, ideal = evidence.gained, universe.ideal
        values = gains_of(hits.grades, exponential=exponential)
        best = gains_of(universe.grades[ideal.entries], exponential=exponential)
    return Gained(evidence, hits, values, ideal, best)


def gains_of(grades: Grades, pairs: GradeGains = (), *, exponential: bool = False) -> Floats:
    """Return the gain of each grade: the one paired with it, else the grade g itself, or 2^g - 1.

    Unjudged documents gain nothing. ValueError when 2^g is beyond a double.
    """
    known = np.maximum(grades, 0)
    if exponential and known.max(initial=0) > HIGHEST:
        raise ValueError(f"2^g - 1 is too large a gain for grade {known.max()}.")
    gains = known.astype(np.float64)
    if exponential:
        gains = np.ldexp(1.0, known.astype(np.int32)) - 1
    for grade, gain in pairs:
        gains[grades == grade] = gain
    return gains


def running_totals(values: Floats, offsets: Integers) -> Floats:
    """Return the running totals of each group's values; group i is `offsets[i]:offsets[i + 1]`.

    >>> running_totals(np.array([1.0, 2.0, 5.0, 1.0]), np.array([0, 2, 2, 4])).tolist()
    [1.0, 3.0, 5.0, 6.0]
    """
    counts = np.diff(offsets)
    sums = np.empty(len(values))
    width = 1
    # Groups of similar length are rows of one table. One running total over all groups, minus what
    # came before each, would round differently.
    while width < 2 * counts.max(initial=0):
        groups = np.flatnonzero((counts > width // 2) & (counts <= width))
        columns = np.arange(width)
        inside = columns < counts[groups, None]
        rows = (offsets[groups, None] + columns)[inside]
        table = np.zeros(inside.shape)
        table[inside] = values[rows]
        sums[rows] = np.cumsum(table, axis=1)[inside]
        width *= 2
    return sums
