"""Binary preference."""

import numpy as np

from measures.family import Aggregation, Family, Spelling
from measures.inputs.evidence import Evidence
from trec.arrays import Floats, ratio


def bpref(evidence: Evidence) -> Floats:
    """Bpref: over relevant documents retrieved, 1 - min(n, R) / min(N, R), summed and divided by R.

    n counts the judged documents that are not relevant above it, N all of the topic; where n is 0 the term is 1.
    """
    hits, n_relevant = evidence.relevant, evidence.n_relevant
    bound = np.minimum(evidence.n_nonrelevant, n_relevant)
    above = np.minimum(evidence.nonrelevant_above, n_relevant[hits.rankings])
    preferred = 1 - ratio(above, bound[hits.rankings])
    return ratio(hits.total(preferred), n_relevant)


BPREF = Family(
    name="Bpref",
    formula=bpref,
    definition="How rarely documents judged not relevant are ranked above relevant ones: 1 - min(n, R) / min(N, R) for "
    "each relevant document retrieved, summed and divided by R; n such documents stand above it, N are known.",
    source="Buckley and Voorhees 2004; trec_eval m_bpref.c",
    spellings=(Spelling("bpref"),),
)

GMBPREF = Family(
    name="GMBpref",
    formula=bpref,
    definition="Bpref, its geometric mean taken over topics: values below 0.00001 count as that much.",
    source="trec_eval m_gm_bpref.c",
    spellings=(Spelling("gm_bpref"),),
    aggregation=Aggregation.GEOMETRIC,
)
