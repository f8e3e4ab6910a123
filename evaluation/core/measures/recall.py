"""Recall at a cutoff."""

from evaluation.core.arrays import Floats
from evaluation.core.evidence import Evidence, ratio
from evaluation.core.measures.family import Cutoff, Family


def recall(evidence: Evidence) -> Floats:
    """R@k: relevant documents down to rank k, divided by R."""
    return ratio(evidence.count(evidence.relevant), evidence.n_relevant)


R = Family(
    name="R",
    formula=recall,
    definition="Relevant documents down to rank k, divided by R, the relevant documents known.",
    source="Cleverdon, Mills and Keen 1966; trec_eval m_recall.c",
    trec_eval_cut="recall",
    cutoff=Cutoff.ALWAYS,
)
