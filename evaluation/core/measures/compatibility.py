"""Compatibility: maximum similarity to an ideal ranking."""

import numpy as np

from evaluation.core.evidence import Evidence, Hits
from evaluation.core.measures.family import Family, Parameter
from evaluation.core.measures.ideal_ranking import ideal
from trec.arrays import Floats, Integers, ratio

# The ranks compared, as the program of the authors does.
DEPTH = 1000


def compatibility(evidence: Evidence, *, p: float) -> Floats:
    """Compat: rank-biased overlap with the best ranking most like this one, divided by that ranking's with itself.

    The overlap is the sum over the ranks i from 1 to 1000 of p^(i-1) * shared(i) / i, where shared(i) documents are among the
    first i of both. The best rankings have all documents of a grade above 0, higher grades first; of equal grades those
    retrieved come first, in their order.
    """
    found, best = evidence.gained, ideal(evidence).gained
    worth = _worth(p)
    # A document is shared from the lower of its two ranks on.
    shared = np.maximum(found.ranks, _ideal_ranks(found, best))
    own = found.total(worth[np.minimum(shared, DEPTH + 1)])
    most = best.total(worth[np.minimum(best.ranks, DEPTH + 1)])
    return ratio(own, evidence.of_topics(most))


def _worth(p: float) -> Floats:
    """Return what a document shared from each rank on adds to the overlap, [DEPTH + 2]."""
    ranks = np.arange(1, DEPTH + 1)
    weights = p ** (ranks - 1.0) / ranks
    return np.concatenate([[0.0], np.cumsum(weights[::-1])[::-1], [0.0]])


def _ideal_ranks(found: Hits, best: Hits) -> Integers:
    """Return where each document stands in the best ranking most like its own."""
    begins = _grade_begins(best)
    before = np.zeros(int(best.entries.max(initial=-1)) + 1, dtype=np.int64)
    before[best.entries] = best.ordinals[begins] - 1
    ranks = before[found.entries]
    for grade in np.unique(found.grades):
        same = np.flatnonzero(found.grades == grade)
        ranks[same] += found.where(same).ordinals
    return ranks


def _grade_begins(best: Hits) -> Integers:
    """Return, per document of the best ranking, the place of the first of its topic and grade."""
    places = np.arange(len(best))
    is_first = np.ones(len(best), dtype=np.bool_)
    is_first[1:] = (np.diff(best.grades) != 0) | (np.diff(best.rankings) != 0)
    return np.maximum.accumulate(np.where(is_first, places, 0))


COMPAT = Family(
    name="Compat",
    formula=compatibility,
    definition="Rank-biased overlap of the ranking, down to rank 1000, with the most similar of all best rankings (higher "
    "grades first, only grades above 0), divided by the overlap of that one with itself.",
    source="Clarke, Vtyurina and Smucker 2021; compatibility.py of claclark/Compatibility",
    parameters=(
        Parameter(
            name="p",
            meaning="the chance of reading on after each rank, between 0 and 1",
            default=0.95,
            allowed=lambda p: 0 < p < 1,
        ),
    ),
    reads_level=False,
)
