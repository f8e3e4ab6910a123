"""The share of a ranking that was not judged."""

from measures.family import Best, Cutoff, Family, Spelling
from measures.inputs.evidence import Evidence
from trec.arrays import Floats


def unjudged(evidence: Evidence) -> Floats:
    return (evidence.n_retrieved - evidence.n_judged_retrieved) / evidence.cutoff


UNJUDGED = Family(
    name="Unjudged",
    formula=unjudged,
    definition="Unjudged documents down to rank k, divided by k even when fewer were retrieved.",
    source="trec_eval m_unjudged.c",
    spellings=(Spelling("unj", "cutoff"),),
    cutoff=Cutoff.ALWAYS,
    reads_level=False,
    is_monotone=False,
    best=Best.NONE,
)
