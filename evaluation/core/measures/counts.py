"""Counts of topics and documents."""

import numpy as np

from evaluation.core.evidence import Evidence
from evaluation.core.measures.family import Aggregation, Family, Spelling
from trec.arrays import Integers


def topics(evidence: Evidence) -> Integers:
    """NumQ: 1 for each topic."""
    return np.ones(evidence.n_rankings, dtype=np.int64)


def retrieved(evidence: Evidence) -> Integers:
    """NumRet: documents the run has for the topic."""
    return evidence.n_retrieved


def relevant(evidence: Evidence) -> Integers:
    """NumRel: relevant documents known, retrieved or not."""
    return evidence.n_relevant


def relevant_retrieved(evidence: Evidence) -> Integers:
    """NumRelRet: relevant documents retrieved."""
    return evidence.relevant.count()


def nonrelevant_retrieved(evidence: Evidence) -> Integers:
    """NumNonrelRet: documents retrieved that are judged and not relevant."""
    return evidence.n_judged_retrieved - evidence.relevant.count()


NUM_Q = Family(
    name="NumQ",
    formula=topics,
    definition="Topics the aggregate is taken over.",
    source="trec_eval m_num_q.c",
    spellings=(Spelling("num_q"),),
    reads_level=False,
    unit="count",
    aggregation=Aggregation.SUM,
)

NUM_RET = Family(
    name="NumRet",
    formula=retrieved,
    definition="Documents retrieved.",
    source="trec_eval m_num_ret.c",
    spellings=(Spelling("num_ret"),),
    reads_level=False,
    unit="count",
    aggregation=Aggregation.SUM,
)

NUM_REL = Family(
    name="NumRel",
    formula=relevant,
    definition="Relevant documents known, retrieved or not.",
    source="trec_eval m_num_rel.c",
    spellings=(Spelling("num_rel"),),
    unit="count",
    aggregation=Aggregation.SUM,
)

NUM_REL_RET = Family(
    name="NumRelRet",
    formula=relevant_retrieved,
    definition="Relevant documents retrieved.",
    source="trec_eval m_num_rel_ret.c",
    spellings=(Spelling("num_rel_ret"),),
    unit="count",
    aggregation=Aggregation.SUM,
)

NUM_NONREL_RET = Family(
    name="NumNonrelRet",
    formula=nonrelevant_retrieved,
    definition="Documents retrieved that are judged and not relevant.",
    source="trec_eval m_num_nonrel_judged_ret.c",
    spellings=(Spelling("num_nonrel_judged_ret"),),
    unit="count",
    aggregation=Aggregation.SUM,
    is_monotone=False,
)
