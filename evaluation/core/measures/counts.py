"""Counts of topics and documents."""

from typing import Any

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
    name: str, formula: Formula, trec_eval: str, definition: str, **flags: Any
) -> Family:
    return Family(
        name=name,
        formula=formula,
        definition=definition,
        source=f"trec_eval m_{trec_eval}.c",
        spellings=(Spelling(trec_eval),),
        unit="count",
        aggregation=Aggregation.SUM,
        **flags,
    )


# fmt: off
NUM_Q = _count("NumQ", topics, "num_q", "Topics the aggregate is taken over.", reads_level=False)
NUM_RET = _count("NumRet", retrieved, "num_ret", "Documents retrieved.", reads_level=False)
NUM_REL = _count("NumRel", relevant, "num_rel", "Relevant documents known, retrieved or not.")
NUM_REL_RET = _count("NumRelRet", relevant_retrieved, "num_rel_ret", "Relevant documents retrieved.")
NUM_NONREL_RET = _count("NumNonrelRet", nonrelevant_retrieved, "num_nonrel_judged_ret",
                        "Documents retrieved that are judged and not relevant.", is_monotone=False)
