"""Linear utility of the documents retrieved."""

import numpy as np

from measures.family import Family, Parameter, Spelling
from measures.inputs.evidence import Evidence
from measures.interpolated import numbers
from trec.arrays import Floats

DEFAULT = "1,-1,0,0"


def utility(evidence: Evidence, *, coefficients: str) -> Floats:
    """Return Utility: a * relevant retrieved + b * others retrieved + c * relevant missed + d * others missed."""
    retrieved = evidence.n_retrieved
    # trec_eval 10 scores a missing topic as if one nonrelevant document were retrieved, and resets to 0 with the default only.
    if evidence.rules == "trec_eval-10" and coefficients != DEFAULT:
        retrieved = np.maximum(retrieved, 1)
    a, b, c, d = numbers(coefficients)
    hit, known = evidence.relevant.count(), evidence.n_relevant
    missed = evidence.n_documents + hit - retrieved - known
    value = a * hit + b * (retrieved - hit) + c * (known - hit) + d * missed
    return np.where(retrieved > 0, value, 0.0)


UTILITY = Family(
    name="Utility",
    formula=utility,
    definition="Relevant documents retrieved less the others retrieved, or another sum with coefficients; 0 for a topic "
    "without a retrieved document, except that rules trec_eval-10 then count one document that is not relevant when "
    "coefficients are given.",
    source="Lewis 1995; trec_eval m_utility.c",
    spellings=(Spelling("utility", "coefficients", layout=None),),
    parameters=(
        Parameter(
            name="coefficients",
            kind=str,
            default=DEFAULT,
            meaning="four numbers: what each relevant document retrieved is worth, each other one retrieved, each relevant "
            "one not retrieved, and each other one of the collection, whose size must then be known",
            allowed=lambda text: len(numbers(text)) == 4,
        ),
    ),
    unit="any number",
    is_monotone=False,
)
