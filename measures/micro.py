"""Micro-averages: precision, recall and F over the documents of all topics together."""

from functools import partial

import numpy as np

from measures.counts import relevant, retrieved
from measures.f_measure import BETA
from measures.family import Aggregation, Cutoff, Family
from measures.inputs.evidence import Evidence
from measures.precision import set_precision
from measures.recall import recall
from trec.arrays import Floats, ratio


def f_measure(evidence: Evidence, *, beta: float) -> Floats:
    """MicroF: (beta^2 + 1) * relevant retrieved / (beta^2 * R + retrieved), which is F of MicroP and MicroR."""
    numerator = (beta**2 + 1) * evidence.relevant.count().astype(np.float64)
    return ratio(numerator, retrieved_and_relevant(evidence, beta=beta))


def retrieved_and_relevant(evidence: Evidence, *, beta: float) -> Floats:
    """Return the denominator of MicroF."""
    return beta**2 * evidence.n_relevant.astype(np.float64) + evidence.n_retrieved


_SOURCE = "Manning, Raghavan and Schütze 2008, section 13.6"

_family = partial(Family, cutoff=Cutoff.OPTIONAL, aggregation=Aggregation.MICRO)

MICRO_P = _family(
    name="MicroP",
    formula=set_precision,
    definition="Relevant documents retrieved (down to k), divided by the documents retrieved (down to k), which may be less "
    "than k. Over topics both are summed before dividing.",
    source=_SOURCE,
    denominator=retrieved,
)

MICRO_R = _family(
    name="MicroR",
    formula=recall,
    definition="Relevant documents retrieved (down to k), divided by R. Over topics both are summed before dividing.",
    source=_SOURCE,
    denominator=relevant,
)

MICRO_F = _family(
    name="MicroF",
    formula=f_measure,
    definition="The weighted harmonic mean of MicroP and MicroR: beta^2 + 1 times the relevant documents retrieved (down to "
    "k), divided by beta^2 R plus the documents retrieved. Over topics both are summed before dividing.",
    source=f"Van Rijsbergen 1979; {_SOURCE}",
    parameters=(BETA,),
    denominator=retrieved_and_relevant,
)
