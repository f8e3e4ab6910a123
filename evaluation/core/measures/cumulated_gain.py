"""Normalized discounted cumulated gain."""

import math
from functools import lru_cache

import numpy as np

from evaluation.core.arrays import Floats, Integers
from evaluation.core.evidence import Evidence, ratio, sequential_sums
from evaluation.core.measures.family import Cutoff, Family


def ndcg(evidence: Evidence) -> Floats:
    """nDCG: gain over log2(rank + 1), summed, divided by the same of the best possible ranking. The gain is the grade."""
    gained = evidence.grades > 0
    found = evidence.total(discounted(evidence.grades, evidence.ranks), gained)
    return ratio(found, _ideal(evidence))


def _ideal(evidence: Evidence) -> Floats:
    best, n_topics = evidence.universe.ideal, len(evidence.universe.topics)
    read = best.ranks <= evidence.cutoff
    return sequential_sums(
        best.topics[read], discounted(best.grades[read], best.ranks[read]), n_topics
    )


def discounted(gains: Integers, ranks: Integers) -> Floats:
    """Divide each gain by log2(rank + 1)."""
    return gains / _logarithms(int(ranks.max(initial=1)).bit_length())[ranks]


@lru_cache
def _logarithms(bits: int) -> Floats:
    """Return log2(rank + 1) for every rank below 2 ** bits."""
    # math.log2 is the C library's, whose last bit numpy's own vector log2 may miss.
    return np.array([math.log2(rank + 1) for rank in range(2**bits)])


NDCG = Family(
    name="nDCG",
    formula=ndcg,
    definition="Grades of the documents retrieved (down to k), each divided by log2(rank + 1), summed, and divided by "
    "the same sum for the best ranking of all judged documents.",
    source="Järvelin and Kekäläinen 2002; trec_eval m_ndcg.c, m_ndcg_cut.c",
    trec_eval="ndcg",
    trec_eval_cut="ndcg_cut",
    cutoff=Cutoff.OPTIONAL,
    reads_level=False,
)
