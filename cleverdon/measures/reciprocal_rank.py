"""The first relevant document: its reciprocal rank, and whether there is one."""

import numpy as np

from cleverdon.measures.family import Cutoff, Family, Spelling
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.trec.arrays import Floats


def reciprocal_rank(evidence: Evidence) -> Floats:
    relevant = evidence.relevant
    first = np.flatnonzero(relevant.ordinals == 1)
    values = np.zeros(evidence.n_rankings)
    values[relevant.rankings[first]] = 1 / relevant.ranks[first]
    return values


def success(evidence: Evidence) -> Floats:
    return (evidence.relevant.count() > 0).astype(float)


RR = Family(
    name="RR",
    formula=reciprocal_rank,
    definition="1 / rank of the first relevant document (down to k); 0 without one.",
    source="Kantor and Voorhees 2000; trec_eval m_recip_rank.c",
    spellings=(Spelling("recip_rank"),),
    cutoff=Cutoff.OPTIONAL,
)
SUCCESS = Family(
    name="Success",
    formula=success,
    definition="1 when a relevant document is down to rank k, else 0.",
    source="Tomlinson 2005; trec_eval m_success.c",
    spellings=(Spelling("success", "cutoff"),),
    cutoff=Cutoff.ALWAYS,
)
