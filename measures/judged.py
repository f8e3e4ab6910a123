"""The share of a ranking that was judged."""

from measures.family import Best, Cutoff, Family
from measures.inputs.evidence import Evidence
from trec.arrays import Floats, ratio


def judged(evidence: Evidence) -> Floats:
    return ratio(evidence.n_judged_retrieved, evidence.n_retrieved)


JUDGED = Family(
    name="Judged",
    formula=judged,
    definition="Judged documents down to rank k, divided by the number retrieved down to k, which may be less than k; "
    "0 when nothing was retrieved. Ranks are those of the scores; figures of TREC-COVID that were published by the order of lines in the file differ where the two do.",
    source="Voorhees et al. 2021 (TREC-COVID)",
    cutoff=Cutoff.ALWAYS,
    reads_level=False,
    is_monotone=False,
    best=Best.NONE,
)
