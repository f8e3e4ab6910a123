"""Expected reciprocal rank."""

import numpy as np

from cleverdon.measures.family import Cutoff, Family, Parameter
from cleverdon.measures.ideal_ranking import ideal
from cleverdon.measures.inputs.evidence import Evidence, Hits
from cleverdon.trec.arrays import Floats, ratio


def products_above(hits: Hits, factors: Floats) -> Floats:
    """Multiply the factors of the hits above each in its ranking, from the top; 1 for the first."""
    products = np.ones(len(hits))
    starts, counts = hits.offsets[:-1], hits.count()
    for position in range(1, int(counts.max(initial=0))):
        rows = starts[counts > position] + position
        products[rows] = products[rows - 1] * factors[rows - 1]
    return products


def expected_reciprocal_rank(evidence: Evidence, *, max_rel: int) -> Floats:
    """ERR: the sum over ranks of S(rank) / rank times the product of 1 - S over the ranks above.

    S = (2^grade - 1) / 2^max_rel, the chance that a document satisfies; a grade above `max_rel`
    counts as `max_rel`.
    """
    hits = evidence.gained
    grades = np.minimum(hits.grades, np.int64(max_rel))
    satisfied = (np.ldexp(1.0, grades) - 1) / 2.0**max_rel
    # In the order of gdeval's loop: chance times what is left, then over the rank.
    left = products_above(hits, 1 - satisfied)
    return hits.total(satisfied * left / hits.ranks)


def normalized_expected_reciprocal_rank(evidence: Evidence, *, max_rel: int) -> Floats:
    best = expected_reciprocal_rank(ideal(evidence), max_rel=max_rel)
    value = expected_reciprocal_rank(evidence, max_rel=max_rel)
    return ratio(value, evidence.of_topics(best))


TOP_GRADE = Parameter(
    name="max_rel",
    meaning="the highest grade of the scale, to which higher ones are lowered; from 1 to 1000",
    kind=int,
    default=4,
    allowed=lambda grade: 1 <= grade <= 1000,
)

ERR = Family(
    name="ERR",
    formula=expected_reciprocal_rank,
    definition="1 / rank at which a reader of the ranking (down to k) is satisfied, as expected "
    "when each document satisfies with the chance (2^grade - 1) / 2^max_rel and the reader then "
    "stops; gdeval's scale has 4 at its top, whatever the grades of the topic.",
    source="Chapelle, Metzler, Zhang and Grinspan 2009; gdeval.pl of the TREC Web track",
    cutoff=Cutoff.OPTIONAL,
    parameters=(TOP_GRADE,),
    reads_level=False,
)

NERR = Family(
    name="nERR",
    formula=normalized_expected_reciprocal_rank,
    definition="ERR, divided by the same of the best ranking of all judged documents (down to k).",
    source="Chapelle, Metzler, Zhang and Grinspan 2009; Clarke, Craswell, Soboroff and Ashkan 2011",
    cutoff=Cutoff.OPTIONAL,
    parameters=(TOP_GRADE,),
    reads_level=False,
)
