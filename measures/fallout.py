"""Fallout."""

from measures.family import Best, Cutoff, Family
from measures.inputs.evidence import Evidence
from trec.arrays import Floats, ratio


def fallout(evidence: Evidence) -> Floats:
    n_relevant = evidence.relevant.count()
    if evidence.n_documents:
        n_all = evidence.n_documents - evidence.n_relevant
        return ratio(evidence.n_retrieved - n_relevant, n_all)
    return ratio(evidence.n_judged_retrieved - n_relevant, evidence.n_nonrelevant)


_WHICH = (
    "When the size of the collection is given, every document that is not known to be relevant counts as not relevant; "
    "when it is not, judged ones only. The lower the better."
)
_SOURCE = "Cleverdon, Mills and Keen 1966"

FALLOUT = Family(
    name="Fallout",
    formula=fallout,
    definition=f"Documents down to rank k that are not relevant, divided by all that are not relevant. {_WHICH}",
    source=_SOURCE,
    cutoff=Cutoff.ALWAYS,
    is_monotone=False,
    best=Best.LOWEST,
)

SET_FALLOUT = Family(
    name="SetFallout",
    formula=fallout,
    definition=f"Documents retrieved that are not relevant, divided by all that are not relevant. {_WHICH}",
    source=_SOURCE,
    is_monotone=False,
    best=Best.LOWEST,
)
