"""Inferred average precision."""

import numpy as np

from measures.family import Family, Spelling
from measures.inputs.evidence import Evidence
from trec.arrays import Floats, ratio

# Smoothing: keeps an estimate from a single judged document away from 0 and 1 (trec_eval's INFAP_EPSILON).
EPSILON = 0.00001


def infap(evidence: Evidence) -> Floats:
    """InfAP: expected precision at each relevant document retrieved, from a pool of which a sample is judged, over R.

    At rank r it is 1/r + (r-1)/r * (pooled above / (r-1)) * (relevant above + e) / (judged above + 2e); at rank 1 it is 1.
    """
    hits = evidence.relevant
    pooled = evidence.above_relevant(np.ones(len(evidence.hits), dtype=np.bool_))
    nonrelevant = evidence.nonrelevant_above
    relevant = hits.ordinals - 1
    # At rank 1 no document is above: the 1 avoids a division by 0, and the result is not used.
    above = np.maximum(hits.ranks - 1, 1).astype(np.float64)
    share = (relevant + EPSILON) / (relevant + nonrelevant + 2 * EPSILON)
    expected = 1 / (above + 1) + above / (above + 1) * (pooled / above) * share
    values = np.where(hits.ranks == 1, 1.0, expected)
    return ratio(hits.total(values), evidence.n_relevant)


INFAP = Family(
    name="infAP",
    formula=infap,
    definition="AP expected from a pool of which a random sample was judged: of the pooled documents above a relevant one "
    "as many are taken to be relevant as of the judged ones there, of those not pooled none. A negative grade means pooled "
    "and not judged.",
    source="Yilmaz and Aslam 2006; trec_eval m_infap.c",
    spellings=(Spelling("infAP"),),
    is_monotone=False,
)
