"""Pairs of a relevant document and another: binary preference, and accuracy."""

import numpy as np

from cleverdon.measures.family import Aggregation, Cutoff, Family, Spelling
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.trec.arrays import Floats, ratio


def bpref(evidence: Evidence) -> Floats:
    """Bpref: 1 - min(n, R) / min(N, R) of each relevant document retrieved, summed, over R.

    Of the documents judged not relevant n are ranked above it, and N are known; 1 where n is 0.
    """
    hits, n_relevant = evidence.relevant, evidence.n_relevant
    bound = np.minimum(evidence.n_nonrelevant, n_relevant)
    above = np.minimum(evidence.nonrelevant_above, n_relevant[hits.rankings])
    preferred = 1 - ratio(above, bound[hits.rankings])
    return ratio(hits.total(preferred), n_relevant)


def accuracy(evidence: Evidence) -> Floats:
    relevant = evidence.relevant
    n_relevant = relevant.count()
    pairs = n_relevant * (evidence.n_retrieved - n_relevant)
    wrong = relevant.total((relevant.ranks - relevant.ordinals).astype(np.float64))
    return np.where(n_relevant > 0, 1 - ratio(wrong, pairs), 0.0)


BPREF = Family(
    name="Bpref",
    formula=bpref,
    definition="How rarely documents judged not relevant are ranked above relevant ones: "
    "1 - min(n, R) / min(N, R) for each relevant document retrieved, summed and divided by R; n "
    "such documents stand above it, N are known.",
    source="Buckley and Voorhees 2004; trec_eval m_bpref.c",
    spellings=(Spelling("bpref"),),
)
GMBPREF = Family(
    name="GMBpref",
    formula=bpref,
    definition="Bpref, its geometric mean taken over topics: values below 0.00001 count as that "
    "much.",
    source="trec_eval m_gm_bpref.c",
    spellings=(Spelling("gm_bpref"),),
    aggregation=Aggregation.GEOMETRIC,
)
ACCURACY = Family(
    name="Accuracy",
    formula=accuracy,
    definition="Of all pairs of a relevant document retrieved (down to k) and one that is not "
    "relevant, judged or not, the share in which the relevant one is ranked higher; 1 when all "
    "retrieved are relevant, 0 when none is. With judged_only=True the other document is judged "
    "too.",
    source="ir_measures",
    cutoff=Cutoff.OPTIONAL,
)
