"""What grades are worth: the gains of a ranking and of the best one there is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.core.evidence import Evidence, Hits
from evaluation.core.measures.family import Parameter
from evaluation.core.universe import Ideal
from trec.arrays import Floats, Grades, Integers

Pairs = Sequence[tuple[int, float]]

# The highest grade g for which a double holds 2^g.
HIGHEST = 1023

GAINS = Parameter(
    name="gains",
    kind=tuple,
    optional=True,
    meaning="what grades are worth, {1:1,2:3} for example; a grade from 0 that is left out keeps its worth",
    allowed=lambda pairs: all(
        grade >= 0 and math.isfinite(gain) for grade, gain in pairs
    ),
)


@dataclass(frozen=True, eq=False)
class Gained:
    """The documents retrieved that gain something, and the best ranking; gains are per document of each.

    `starts[t]` is where topic t begins in the best ranking, `starts[t + 1]` where it ends.
    """

    hits: Hits
    gains: Floats
    ideal: Ideal
    best: Floats
    starts: Integers


def gained(
    evidence: Evidence, gains: Pairs = (), *, exponential: bool = False
) -> Gained:
    """Return what is gained down to the cutoff; the best ranking is of all judged documents and is not cut."""
    universe = evidence.universe
    if gains:
        worth = worths(universe.grades, gains, exponential=exponential)
        own = worth[evidence.hits.entries]
        places = np.flatnonzero(own)
        hits, own, ideal = (
            evidence.hits.where(places),
            own[places],
            universe.ideal_by(worth),
        )
        best = worth[ideal.entries]
    else:
        hits, ideal = evidence.gained, universe.ideal
        own = worths(hits.grades, exponential=exponential)
        best = worths(universe.grades[ideal.entries], exponential=exponential)
    starts = np.searchsorted(ideal.topics, np.arange(universe.n_topics + 1))
    return Gained(hits, own, ideal, best, starts)


def worths(grades: Grades, gains: Pairs = (), *, exponential: bool = False) -> Floats:
    """Return the gain of each grade: that given, or the grade g itself, or 2^g - 1; unjudged documents gain nothing.

    ValueError when 2^g is beyond a double.
    """
    known = np.maximum(grades, 0)
    if exponential and known.max(initial=0) > HIGHEST:
        raise ValueError(f"2^g - 1 is too large a gain for grade {known.max()}.")
    worth = (
        np.ldexp(1.0, known.astype(np.int32)) - 1
        if exponential
        else known.astype(np.float64)
    )
    for grade, gain in gains:
        worth[grades == grade] = gain
    return worth
