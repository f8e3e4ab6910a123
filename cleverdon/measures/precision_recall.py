"""Precision, recall and F: at a cutoff, of the whole set, at R, and over all topics together."""

from collections.abc import Callable
from functools import partial

import numpy as np

from cleverdon.measures.counts import relevant, retrieved
from cleverdon.measures.family import Aggregation, Cutoff, Family, Parameter, Spelling
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.trec.arrays import Floats, ratio


def precision(evidence: Evidence, relative: bool = False) -> Floats:
    """P@k: relevant retrieved, divided by k even if fewer were retrieved, or by min(k, R)."""
    if relative:
        most = np.minimum(evidence.n_relevant, evidence.cutoff)
        return ratio(evidence.relevant.count(), most)
    return evidence.relevant.count() / evidence.cutoff


def set_precision(evidence: Evidence, relative: bool = False) -> Floats:
    """SetP: relevant retrieved, divided by all retrieved, or by min(that, R)."""
    size = evidence.n_retrieved
    if relative:
        size = np.minimum(evidence.n_relevant, size)
    return ratio(evidence.relevant.count(), size)


def r_precision(evidence: Evidence, *, mult: float) -> Floats:
    """Rprec: relevant documents down to rank mult * R + 0.9, truncated, divided by that rank."""
    hits = evidence.relevant
    depths = (mult * evidence.n_relevant + 0.9).astype(np.int64)
    return ratio(hits.where(hits.ranks <= depths[hits.rankings]).count(), depths)


def recall(evidence: Evidence) -> Floats:
    return ratio(evidence.relevant.count(), evidence.n_relevant)


def f_measure(
    evidence: Evidence,
    *,
    beta: float,
    alpha: float | None = None,
    weight: float | None = None,
    precision_of: Callable[[Evidence], Floats] = precision,
) -> Floats:
    """F@k, SetF: (w + 1) P R / (w P + R), 0 where both are 0; ValueError for two weights."""
    w, p, r = weight_of(beta, alpha, weight), precision_of(evidence), recall(evidence)
    return ratio((w + 1.0) * p * r, w * p + r)


def weight_of(beta: float, alpha: float | None, weight: float | None) -> float:
    """Return the weight of recall against precision: beta^2, 1 / alpha - 1, or as given."""
    if (beta != 1.0) + (alpha is not None) + (weight is not None) > 1:
        raise ValueError("F takes one of beta, alpha and weight.")
    if weight is not None:
        return weight
    return beta * beta if alpha is None else 1 / alpha - 1


def micro_f_measure(evidence: Evidence, *, beta: float) -> Floats:
    """MicroF: (beta^2 + 1) * relevant retrieved / (beta^2 * R + retrieved)."""
    numerator = (beta**2 + 1) * evidence.relevant.count().astype(np.float64)
    return ratio(numerator, retrieved_and_relevant(evidence, beta=beta))


def retrieved_and_relevant(evidence: Evidence, *, beta: float) -> Floats:
    return beta**2 * evidence.n_relevant.astype(np.float64) + evidence.n_retrieved


RELATIVE = Parameter(
    name="relative",
    kind=bool,
    default=False,
    meaning="with True it is divided by the most relevant documents there can be, so that 1 can be "
    "reached",
)
MULT = Parameter(
    name="mult",
    default=1.0,
    meaning="a number above 0: the rank is that many times R, 0.9 added and truncated",
    allowed=lambda mult: mult > 0,
)
BETA = Parameter(
    name="beta",
    default=1.0,
    meaning="a number from 0: recall weighs beta squared times as much as precision",
    allowed=lambda beta: beta >= 0,
)
WEIGHTS = (
    BETA,
    Parameter(
        name="alpha",
        optional=True,
        meaning="instead of beta, the share of precision in F = 1 / (alpha / P + (1 - alpha) / R), "
        "above 0 and up to 1",
        allowed=lambda alpha: 0 < alpha <= 1,
    ),
    Parameter(
        name="weight",
        optional=True,
        meaning="instead of beta, a number from 0 that is not squared: how many times as much "
        "recall weighs as precision",
        allowed=lambda weight: weight >= 0,
    ),
)
CLEVERDON = "Cleverdon, Mills and Keen 1966"
RIJSBERGEN = "van Rijsbergen 1979, chapter 7"
MICRO = "Manning, Raghavan and Schütze 2008, section 13.6"

P = Family(
    name="P",
    formula=precision,
    definition="Relevant documents down to rank k, divided by k even when fewer were retrieved.",
    source=f"{CLEVERDON}; trec_eval m_P.c, m_rel_P.c",
    spellings=(
        Spelling("P", "cutoff"),
        Spelling("relative_P", "cutoff", fixed=(("relative", True),)),
    ),
    cutoff=Cutoff.ALWAYS,
    parameters=(RELATIVE,),
)
SET_P = Family(
    name="SetP",
    formula=set_precision,
    definition="Relevant documents retrieved, divided by the number retrieved.",
    source=f"{CLEVERDON}; trec_eval m_set_P.c, m_set_rel_P.c",
    spellings=(Spelling("set_P"), Spelling("set_relative_P", fixed=(("relative", True),))),
    parameters=(RELATIVE,),
)
RPREC = Family(
    name="Rprec",
    formula=r_precision,
    definition="Relevant documents down to rank R, divided by R, the relevant documents known.",
    source="Buckley and Voorhees 2005; trec_eval m_Rprec.c, m_Rprec_mult.c",
    spellings=(Spelling("Rprec"), Spelling("Rprec_mult", "mult", layout="{:.2f}")),
    parameters=(MULT,),
)
R = Family(
    name="R",
    formula=recall,
    definition="Relevant documents down to rank k, divided by R, the relevant documents known.",
    source=f"{CLEVERDON}; trec_eval m_recall.c",
    history="trec_eval's source says that it is fine for a single topic but does not average well.",
    spellings=(Spelling("recall", "cutoff"),),
    cutoff=Cutoff.ALWAYS,
)
SET_R = Family(
    name="SetR",
    formula=recall,
    definition="Relevant documents retrieved, divided by R, the relevant documents known.",
    source=f"{CLEVERDON}; trec_eval m_set_recall.c",
    spellings=(Spelling("set_recall"),),
)
F = Family(
    name="F",
    formula=f_measure,
    definition="The harmonic mean of precision and recall, both down to rank k, with weights.",
    source=RIJSBERGEN,
    cutoff=Cutoff.ALWAYS,
    parameters=WEIGHTS,
)
SET_F = Family(
    name="SetF",
    formula=partial(f_measure, precision_of=set_precision),
    definition="The harmonic mean of the precision and the recall of all documents retrieved, with "
    "weights.",
    source=f"{RIJSBERGEN}; trec_eval m_set_F.c",
    spellings=(Spelling("set_F", "weight", layout=None),),
    parameters=WEIGHTS,
)

_micro = partial(Family, cutoff=Cutoff.OPTIONAL, aggregation=Aggregation.MICRO)

MICRO_P = _micro(
    name="MicroP",
    formula=set_precision,
    definition="Relevant documents retrieved (down to k), divided by the documents retrieved (down "
    "to k), which may be less than k. Over topics both are summed before dividing.",
    source=MICRO,
    denominator=retrieved,
)
MICRO_R = _micro(
    name="MicroR",
    formula=recall,
    definition="Relevant documents retrieved (down to k), divided by R. Over topics both are "
    "summed before dividing.",
    source=MICRO,
    denominator=relevant,
)
MICRO_F = _micro(
    name="MicroF",
    formula=micro_f_measure,
    definition="The weighted harmonic mean of MicroP and MicroR: beta^2 + 1 times the relevant "
    "documents retrieved (down to k), divided by beta^2 R plus the documents retrieved. Over "
    "topics both are summed before dividing.",
    source=f"Van Rijsbergen 1979; {MICRO}",
    parameters=(BETA,),
    denominator=retrieved_and_relevant,
)
