"""Counts of topics and documents."""

from typing import Any

import numpy as np

from measures.family import Aggregation, Best, Family, Formula, Spelling
from measures.inputs.evidence import Evidence
from trec.arrays import Integers


def retrieved(evidence: Evidence) -> Integers:
    return evidence.n_retrieved


def relevant(evidence: Evidence) -> Integers:
    return evidence.n_relevant


def _count(name: str, formula: Formula, trec_eval: str, definition: str, **flags: Any) -> Family:
    return Family(
        name,
        formula,
        definition,
        f"trec_eval m_{trec_eval}.c",
        spellings=(Spelling(trec_eval),),
        unit="count",
        best=Best.NONE,
        aggregation=Aggregation.SUM,
        **flags,
    )


NUM_Q = _count(
    "NumQ",
    lambda evidence: np.ones(evidence.n_rankings, dtype=np.int64),
    "num_q",
    "Topics the aggregate is taken over.",
    reads_level=False,
)
NUM_RET = _count("NumRet", retrieved, "num_ret", "Documents retrieved.", reads_level=False)
NUM_REL = _count("NumRel", relevant, "num_rel", "Relevant documents known, retrieved or not.")
NUM_REL_RET = _count(
    "NumRelRet",
    lambda evidence: evidence.relevant.count(),
    "num_rel_ret",
    "Relevant documents retrieved.",
)
NUM_NONREL_RET = _count(
    "NumNonrelRet",
    lambda evidence: evidence.n_judged_retrieved - evidence.relevant.count(),
    "num_nonrel_judged_ret",
    "Documents retrieved that are judged and not relevant.",
    is_monotone=False,
)
COUNTS = NUM_Q, NUM_RET, NUM_REL, NUM_REL_RET, NUM_NONREL_RET
