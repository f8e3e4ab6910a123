"""Precision, recall and F over the documents of all topics together."""

import numpy as np

from evaluation.core.evidence import Evidence
from evaluation.core.measures.family import Aggregation, Cutoff, Family, Parameter
from evaluation.core.measures.precision import set_precision
from evaluation.core.measures.recall import recall
from trec.arrays import Floats, Integers, ratio


def retrieved(evidence: Evidence) -> Integers:
    """Return what MicroP divides by."""
    return evidence.n_retrieved


def relevant(evidence: Evidence) -> Integers:
    """Return what MicroR divides by."""
    return evidence.n_relevant


def f_measure(evidence: Evidence, *, beta: float) -> Floats:
    """MicroF: (beta^2 + 1) * relevant retrieved / (beta^2 * R + retrieved), which is F of MicroP and MicroR."""
    n_found = (beta**2 + 1) * evidence.relevant.count().astype(np.float64)
    return ratio(n_found, retrieved_and_relevant(evidence, beta=beta))


def retrieved_and_relevant(evidence: Evidence, *, beta: float) -> Floats:
    """Return what MicroF divides by."""
    return beta**2 * evidence.n_relevant.astype(np.float64) + evidence.n_retrieved


_SOURCE = "Manning, Raghavan and Schütze 2008, section 13.6"

MICRO_P = Family(
    name="MicroP",
    formula=set_precision,
    definition="Relevant documents retrieved (down to k), divided by the documents retrieved (down to k), which may be less "
    "than k. Over topics both are summed before dividing.",
    source=_SOURCE,
    cutoff=Cutoff.OPTIONAL,
    aggregation=Aggregation.POOLED,
    weight=retrieved,
)

MICRO_R = Family(
    name="MicroR",
    formula=recall,
    definition="Relevant documents retrieved (down to k), divided by R. Over topics both are summed before dividing.",
    source=_SOURCE,
    cutoff=Cutoff.OPTIONAL,
    aggregation=Aggregation.POOLED,
    weight=relevant,
)

MICRO_F = Family(
    name="MicroF",
    formula=f_measure,
    definition="The weighted harmonic mean of MicroP and MicroR: beta^2 + 1 times the relevant documents retrieved (down to "
    "k), divided by beta^2 R plus the documents retrieved. Over topics both are summed before dividing.",
    source=f"Van Rijsbergen 1979; {_SOURCE}",
    cutoff=Cutoff.OPTIONAL,
    parameters=(
        Parameter(
            name="beta",
            meaning="a number from 0: recall weighs beta squared times as much as precision",
            default=1.0,
            allowed=lambda beta: beta >= 0,
        ),
    ),
    aggregation=Aggregation.POOLED,
    weight=retrieved_and_relevant,
)
