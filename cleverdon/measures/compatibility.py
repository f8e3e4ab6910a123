"""Compatibility: maximum similarity to an ideal ranking."""

from dataclasses import replace

import numpy as np

from cleverdon.measures.family import Family
from cleverdon.measures.ideal_ranking import ideal
from cleverdon.measures.inputs.evidence import Evidence, Hits
from cleverdon.measures.rbp import PERSISTENCE
from cleverdon.trec.arrays import Floats, Integers, begins, ratio

# Ranks compared, as in the authors' program.
DEPTH = 1000


def compatibility(evidence: Evidence, *, p: float) -> Floats:
    """Compat: overlap with the best ranking most like this one, over that one's with itself.

    The overlap is the sum over the ranks i from 1 to 1000 of p^(i-1) * shared(i) / i, where
    shared(i) documents are among the first i of both. The best rankings have all documents of a
    grade above 0, higher grades first; of equal grades those retrieved come first, in their order.
    """
    hits, best = evidence.gained, ideal(evidence).gained
    overlap = _overlap(p)
    # A document is shared from the deeper of its two ranks on.
    shared = np.maximum(hits.ranks, _ideal_ranks(hits, best))
    value = hits.total(overlap[np.minimum(shared, DEPTH + 1)])
    most = best.total(overlap[np.minimum(best.ranks, DEPTH + 1)])
    return ratio(value, evidence.of_topics(most))


def _overlap(p: float) -> Floats:
    """Return, at r, what a document shared from rank r on adds to the overlap: [DEPTH + 2]."""
    ranks = np.arange(1, DEPTH + 1)
    weights = p ** (ranks - 1.0) / ranks
    return np.concatenate([[0.0], np.cumsum(weights[::-1])[::-1], [0.0]])


def _ideal_ranks(hits: Hits, best: Hits) -> Integers:
    """Return the rank of each document in the best ranking most like its own."""
    is_first = begins(best.grades, best.rankings)
    # Documents of the topic of a higher grade than each of the best ranking.
    higher = (best.ordinals[is_first] - 1)[np.cumsum(is_first) - 1]
    ranks = np.zeros(int(best.entries.max(initial=-1)) + 1, dtype=np.int64)
    ranks[best.entries] = higher
    ranks = ranks[hits.entries]
    for grade in np.unique(hits.grades):
        same = np.flatnonzero(hits.grades == grade)
        ranks[same] += hits.where(same).ordinals
    return ranks


COMPAT = Family(
    name="Compat",
    formula=compatibility,
    definition="Rank-biased overlap of the ranking, down to rank 1000, with the most similar of "
    "all best rankings (higher grades first, only grades above 0), divided by the overlap of that "
    "one with itself.",
    source="Clarke, Vtyurina and Smucker 2021; compatibility.py of claclark/Compatibility",
    parameters=(replace(PERSISTENCE, default=0.95),),
    reads_level=False,
)
