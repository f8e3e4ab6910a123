"""Binary preference."""

import numpy as np

from evaluation.core.arrays import Floats
from evaluation.core.evidence import Evidence, ratio
from evaluation.core.measures.family import Family


def bpref(evidence: Evidence) -> Floats:
    """Bpref: over relevant documents retrieved, 1 - min(n, R) / min(N, R), summed and divided by R.

    n counts the judged documents that are not relevant above it, N all of the topic; where n is 0 the term is 1.
    """
    above = evidence.so_far(evidence.nonrelevant)
    n_relevant, n_nonrelevant = (
        evidence.n_relevant[evidence.topics],
        evidence.n_nonrelevant[evidence.topics],
    )
    preferred = 1 - ratio(
        np.minimum(above, n_relevant), np.minimum(n_nonrelevant, n_relevant)
    )
    return ratio(evidence.total(preferred, evidence.relevant), evidence.n_relevant)


BPREF = Family(
    name="Bpref",
    formula=bpref,
    definition="How rarely judged documents that are not relevant stand above relevant ones: 1 - min(n, R) / min(N, R) for "
    "each relevant document retrieved, summed and divided by R; n such documents stand above it, N are known.",
    source="Buckley and Voorhees 2004; trec_eval m_bpref.c",
    trec_eval="bpref",
)
