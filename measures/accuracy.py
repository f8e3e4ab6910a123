"""Accuracy over pairs."""

import numpy as np

from measures.family import Cutoff, Family
from measures.inputs.evidence import Evidence
from trec.arrays import Floats, ratio


def accuracy(evidence: Evidence) -> Floats:
    relevant = evidence.relevant
    n_relevant = relevant.count()
    pairs = n_relevant * (evidence.n_retrieved - n_relevant)
    wrong = relevant.total((relevant.ranks - relevant.ordinals).astype(np.float64))
    return np.where(n_relevant > 0, 1 - ratio(wrong, pairs), 0.0)


ACCURACY = Family(
    name="Accuracy",
    formula=accuracy,
    definition="Of all pairs of a relevant document retrieved (down to k) and one that is not relevant, judged or not, the "
    "share in which the relevant one is ranked higher; 1 when all retrieved are relevant, 0 when none is. With "
    "judged_only=True the other document is judged too.",
    source="ir_measures",
    cutoff=Cutoff.OPTIONAL,
    is_monotone=False,
)
