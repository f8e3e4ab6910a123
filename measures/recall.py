"""Recall: at a cutoff and of the whole set."""

from measures.family import Cutoff, Family, Spelling
from measures.inputs.evidence import Evidence
from trec.arrays import Floats, ratio


def recall(evidence: Evidence) -> Floats:
    return ratio(evidence.relevant.count(), evidence.n_relevant)


R = Family(
    name="R",
    formula=recall,
    definition="Relevant documents down to rank k, divided by R, the relevant documents known.",
    source="Cleverdon, Mills and Keen 1966; trec_eval m_recall.c",
    history="trec_eval's source says that it is fine for a single topic but does not average well.",
    spellings=(Spelling("recall", "cutoff"),),
    cutoff=Cutoff.ALWAYS,
)

SET_R = Family(
    name="SetR",
    formula=recall,
    definition="Relevant documents retrieved, divided by R, the relevant documents known.",
    source="Cleverdon, Mills and Keen 1966; trec_eval m_set_recall.c",
    spellings=(Spelling("set_recall"),),
)
