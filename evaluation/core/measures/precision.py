"""Precision, at a cutoff and at R."""

from evaluation.core.arrays import Floats
from evaluation.core.evidence import Evidence, ratio
from evaluation.core.measures.family import Cutoff, Family


def precision(evidence: Evidence) -> Floats:
    """P@k: relevant documents down to rank k, divided by k even when fewer were retrieved."""
    return evidence.count(evidence.relevant) / evidence.cutoff


def r_precision(evidence: Evidence) -> Floats:
    """Rprec: relevant documents down to rank R, divided by R."""
    in_reach = evidence.ranks <= evidence.n_relevant[evidence.topics]
    return ratio(evidence.count(evidence.relevant & in_reach), evidence.n_relevant)


P = Family(
    name="P",
    formula=precision,
    definition="Relevant documents down to rank k, divided by k even when fewer were retrieved.",
    source="Cleverdon, Mills and Keen 1966; trec_eval m_P.c",
    trec_eval_cut="P",
    cutoff=Cutoff.ALWAYS,
)

RPREC = Family(
    name="Rprec",
    formula=r_precision,
    definition="Relevant documents down to rank R, divided by R, the relevant documents known.",
    source="Buckley and Voorhees 2005; trec_eval m_Rprec.c",
    trec_eval="Rprec",
)
