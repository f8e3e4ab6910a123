"""Yet another average precision."""

import math

import numpy as np

from measures.family import Family, Spelling
from measures.inputs.evidence import Evidence
from trec.arrays import Floats


def smoothed_average_precision(evidence: Evidence) -> Floats:
    relevant = evidence.relevant
    summed = relevant.total(relevant.precisions)
    odds = (1.0 + summed) / (1.0 + evidence.n_relevant - summed)
    # numpy's own logarithm may miss the last bit of the C library's.
    values = np.array(list(map(math.log, odds.tolist())))
    if evidence.rules == "trec_eval-10":
        return values
    return np.where(evidence.n_retrieved > 0, values, 0.0)


YAAP = Family(
    name="YAAP",
    formula=smoothed_average_precision,
    definition="ln((1 + s) / (1 + R - s)), where s is the sum of precision at the rank of each relevant document retrieved: AP "
    "as smoothed log odds. A topic without a retrieved document counts 0 under rules trec_eval-9.",
    source="Robertson 2012; trec_eval m_yaap.c",
    spellings=(Spelling("yaap"),),
    unit="any number",
)
