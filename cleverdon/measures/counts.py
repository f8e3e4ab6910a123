"""Counts of topics and documents, and the shares of a ranking that are judged and unjudged."""

from typing import Any

import numpy as np

from cleverdon.measures.family import Aggregation, Best, Cutoff, Family, Formula, Spelling
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.trec.arrays import Floats, Integers, ratio


def retrieved(evidence: Evidence) -> Integers:
    return evidence.n_retrieved


def relevant(evidence: Evidence) -> Integers:
    return evidence.n_relevant


def judged(evidence: Evidence) -> Floats:
    return ratio(evidence.n_judged_retrieved, evidence.n_retrieved)


def unjudged(evidence: Evidence) -> Floats:
    return (evidence.n_retrieved - evidence.n_judged_retrieved) / evidence.cutoff


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
)
COUNTS = NUM_Q, NUM_RET, NUM_REL, NUM_REL_RET, NUM_NONREL_RET

JUDGED = Family(
    name="Judged",
    formula=judged,
    definition="Judged documents down to rank k, divided by the number retrieved down to k, which "
    "may be less than k; 0 when nothing was retrieved.",
    source="Voorhees et al. 2021 (TREC-COVID)",
    cutoff=Cutoff.ALWAYS,
    reads_level=False,
    best=Best.NONE,
)
UNJUDGED = Family(
    name="Unjudged",
    formula=unjudged,
    definition="Unjudged documents down to rank k, divided by k even when fewer were retrieved.",
    source="trec_eval m_unjudged.c",
    spellings=(Spelling("unj", "cutoff"),),
    cutoff=Cutoff.ALWAYS,
    reads_level=False,
    best=Best.NONE,
)
