"""Precision: at a cutoff, of the whole set, and at R."""

import numpy as np

from measures.family import Cutoff, Family, Parameter, Spelling
from measures.inputs.evidence import Evidence
from trec.arrays import Floats, ratio


def precision(evidence: Evidence, relative: bool = False) -> Floats:
    """P@k: relevant documents down to rank k, divided by k even when fewer were retrieved; if `relative`, by min(k, R)."""
    if relative:
        most = np.minimum(evidence.n_relevant, evidence.cutoff)
        return ratio(evidence.relevant.count(), most)
    return evidence.relevant.count() / evidence.cutoff


def set_precision(evidence: Evidence, relative: bool = False) -> Floats:
    """SetP: relevant documents retrieved, divided by the number retrieved; if `relative`, by min(that, R)."""
    size = evidence.n_retrieved
    if relative:
        size = np.minimum(evidence.n_relevant, size)
    return ratio(evidence.relevant.count(), size)


def r_precision(evidence: Evidence, *, mult: float) -> Floats:
    """Rprec: relevant documents down to rank mult * R + 0.9, truncated, divided by that rank."""
    relevant = evidence.relevant
    depths = (mult * evidence.n_relevant + 0.9).astype(np.int64)
    return ratio(relevant.where(relevant.ranks <= depths[relevant.rankings]).count(), depths)


RELATIVE = Parameter(
    name="relative",
    kind=bool,
    default=False,
    meaning="with True it is divided by the most relevant documents there can be, so that 1 can be reached",
)

MULT = Parameter(
    name="mult",
    default=1.0,
    meaning="a number above 0: the rank is that many times R, 0.9 added and truncated",
    allowed=lambda mult: mult > 0,
)

P = Family(
    name="P",
    formula=precision,
    definition="Relevant documents down to rank k, divided by k even when fewer were retrieved.",
    source="Cleverdon, Mills and Keen 1966; trec_eval m_P.c, m_rel_P.c",
    spellings=(
        Spelling("P", "cutoff"),
        Spelling("relative_P", "cutoff", fixed=(("relative", True),)),
    ),
    cutoff=Cutoff.ALWAYS,
    parameters=(RELATIVE,),
)

SET_P = Family(
    name="SetP",
    formula=set_precision,
    definition="Relevant documents retrieved, divided by the number retrieved.",
    source="Cleverdon, Mills and Keen 1966; trec_eval m_set_P.c, m_set_rel_P.c",
    spellings=(Spelling("set_P"), Spelling("set_relative_P", fixed=(("relative", True),))),
    parameters=(RELATIVE,),
)

RPREC = Family(
    name="Rprec",
    formula=r_precision,
    definition="Relevant documents down to rank R, divided by R, the relevant documents known.",
    source="Buckley and Voorhees 2005; trec_eval m_Rprec.c, m_Rprec_mult.c",
    spellings=(Spelling("Rprec"), Spelling("Rprec_mult", "mult", layout="{:.2f}")),
    parameters=(MULT,),
)
