"""Reciprocal rank."""

import numpy as np

from evaluation.core.arrays import Floats
from evaluation.core.evidence import Evidence
from evaluation.core.measures.family import Cutoff, Family


def reciprocal_rank(evidence: Evidence) -> Floats:
    """RR: 1 / rank of the first relevant document, 0 without one."""
    first = evidence.relevant & (evidence.n_relevant_so_far == 1)
    values = np.zeros(len(evidence.universe.topics))
    values[evidence.topics[first]] = 1 / evidence.ranks[first]
    return values


RR = Family(
    name="RR",
    formula=reciprocal_rank,
    definition="1 / rank of the first relevant document (down to k); 0 without one.",
    source="Kantor and Voorhees 2000; trec_eval m_recip_rank.c",
    trec_eval="recip_rank",
    cutoff=Cutoff.OPTIONAL,
)
