"""The Q-measure."""

import numpy as np

from cleverdon.measures.family import Family, Parameter
from cleverdon.measures.gains import running_totals
from cleverdon.measures.ideal_ranking import ideal
from cleverdon.measures.inputs.evidence import Evidence, Hits
from cleverdon.trec.arrays import Floats, ratio


def q_measure(evidence: Evidence, *, beta: float) -> Floats:
    hits, best = evidence.gained, ideal(evidence).gained
    n_known = best.count()[evidence.topics]
    depths = np.minimum(hits.ranks, n_known[hits.rankings])
    most = _gains(best)[best.offsets[evidence.topics[hits.rankings]] + depths - 1]
    blended = (hits.ordinals + beta * _gains(hits)) / (hits.ranks + beta * most)
    return ratio(hits.total(blended), n_known)


def _gains(hits: Hits) -> Floats:
    """Return, per document, the sum of the grades down to it."""
    return running_totals(hits.grades.astype(np.float64), hits.offsets)


Q = Family(
    name="Q",
    formula=q_measure,
    definition="AP that reads grades: at each document retrieved of a grade above 0 the ratio (n "
    "+ beta G) / (rank + beta G'), where n such documents stand at its rank and above, G is the "
    "sum of their grades and G' that of the best ranking down to the same rank; summed, and "
    "divided by the number of such documents known.",
    source="Sakai 2004",
    parameters=(
        Parameter(
            name="beta",
            meaning="the weight of grades against counts, a number from 0; with 0 it is AP",
            default=1.0,
            allowed=lambda beta: beta >= 0,
        ),
    ),
    reads_level=False,
)
