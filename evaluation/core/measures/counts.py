"""Counts of topics and documents."""

import numpy as np

from evaluation.core.evidence import Evidence
from evaluation.core.measures.family import Aggregation, Family, Formula, Spelling
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


def _count(
    name: str,
    formula: Formula,
    definition: str,
    trec_eval: str,
    *,
    reads_level: bool = True,
    is_monotone: bool = True,
) -> Family:
    return Family(
        name=name,
        formula=formula,
        definition=definition,
        source=f"trec_eval m_{trec_eval}.c",
        spellings=(Spelling(trec_eval),),
        reads_level=reads_level,
        unit="count",
        aggregation=Aggregation.SUM,
        is_monotone=is_monotone,
    )


NUM_Q = _count(
    "NumQ", topics, "Topics the aggregate is taken over.", "num_q", reads_level=False
)
NUM_RET = _count(
    "NumRet", retrieved, "Documents retrieved.", "num_ret", reads_level=False
)
NUM_REL = _count(
    "NumRel", relevant, "Relevant documents known, retrieved or not.", "num_rel"
)
NUM_REL_RET = _count(
    "NumRelRet", relevant_retrieved, "Relevant documents retrieved.", "num_rel_ret"
)
NUM_NONREL_RET = _count(
    "NumNonrelRet",
    nonrelevant_retrieved,
    "Documents retrieved that are judged and not relevant.",
    "num_nonrel_judged_ret",
    is_monotone=False,
)
