"""The F measure: precision and recall in one number."""

from collections.abc import Callable
from functools import partial

from measures.family import Cutoff, Family, Parameter, Spelling
from measures.inputs.evidence import Evidence
from measures.precision import precision, set_precision
from measures.recall import recall
from trec.arrays import Floats, ratio


def f_measure(
    evidence: Evidence,
    *,
    beta: float,
    alpha: float | None = None,
    weight: float | None = None,
    precision_of: Callable[[Evidence], Floats] = precision,
) -> Floats:
    """F@k, SetF: (w + 1) P R / (w P + R), 0 where both are 0. ValueError when the weight w is given in two ways."""
    w, p, r = weight_of(beta, alpha, weight), precision_of(evidence), recall(evidence)
    return ratio((w + 1.0) * p * r, w * p + r)


def weight_of(beta: float, alpha: float | None, weight: float | None) -> float:
    """Return how many times as much recall weighs as precision: beta^2, or 1 / alpha - 1, or the weight itself."""
    if (beta != 1.0) + (alpha is not None) + (weight is not None) > 1:
        raise ValueError("F takes one of beta, alpha and weight.")
    if weight is not None:
        return weight
    return beta * beta if alpha is None else 1 / alpha - 1


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
        meaning="instead of beta, the share of precision in F = 1 / (alpha / P + (1 - alpha) / R), above 0 and up to 1",
        allowed=lambda alpha: 0 < alpha <= 1,
    ),
    Parameter(
        name="weight",
        optional=True,
        meaning="instead of beta, a number from 0 that is not squared: how many times as much recall weighs as precision",
        allowed=lambda weight: weight >= 0,
    ),
)

F = Family(
    name="F",
    formula=f_measure,
    definition="The harmonic mean of precision and recall, both down to rank k, with weights.",
    source="van Rijsbergen 1979, chapter 7",
    cutoff=Cutoff.ALWAYS,
    parameters=WEIGHTS,
)

SET_F = Family(
    name="SetF",
    formula=partial(f_measure, precision_of=set_precision),
    definition="The harmonic mean of the precision and the recall of all documents retrieved, with weights.",
    source="van Rijsbergen 1979, chapter 7; trec_eval m_set_F.c",
    spellings=(Spelling("set_F", "weight", layout=None),),
    parameters=WEIGHTS,
)
