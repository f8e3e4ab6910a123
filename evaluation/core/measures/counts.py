"""Counts of documents."""

from evaluation.core.arrays import Integers
from evaluation.core.evidence import Evidence
from evaluation.core.measures.family import Aggregation, Family


def retrieved(evidence: Evidence) -> Integers:
    """NumRet: documents the run has for the topic."""
    return evidence.n_retrieved


def relevant(evidence: Evidence) -> Integers:
    """NumRel: relevant documents known, retrieved or not."""
    return evidence.n_relevant


def relevant_retrieved(evidence: Evidence) -> Integers:
    """NumRelRet: relevant documents retrieved."""
    return evidence.count(evidence.relevant)


NUM_RET = Family(
    name="NumRet",
    formula=retrieved,
    definition="Documents retrieved.",
    source="trec_eval m_num_ret.c",
    trec_eval="num_ret",
    reads_level=False,
    unit="count",
    aggregation=Aggregation.SUM,
)

NUM_REL = Family(
    name="NumRel",
    formula=relevant,
    definition="Relevant documents known, retrieved or not.",
    source="trec_eval m_num_rel.c",
    trec_eval="num_rel",
    unit="count",
    aggregation=Aggregation.SUM,
)

NUM_REL_RET = Family(
    name="NumRelRet",
    formula=relevant_retrieved,
    definition="Relevant documents retrieved.",
    source="trec_eval m_num_rel_ret.c",
    trec_eval="num_rel_ret",
    unit="count",
    aggregation=Aggregation.SUM,
)
