"""Rank-biased precision, and what unjudged documents could add to it."""

import math
from dataclasses import replace

import numpy as np

from cleverdon.measures.family import Best, Cutoff, Family, Parameter, Spelling
from cleverdon.measures.gains import GAINS, GradeGains, gains_of
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.trec.arrays import Floats, Ints


def rank_biased_precision(
    evidence: Evidence, *, p: float, graded: bool, gains: GradeGains = ()
) -> Floats:
    """RBP: (1 - p) times the sum of gain * p^(rank - 1)."""
    hits = evidence.hits if graded else evidence.relevant
    reached = weights(hits.ranks, p)
    if graded:
        reached = _scaled(evidence, gains)[hits.entries] * reached
    return (1.0 - p) * hits.total(reached)


def residual(evidence: Evidence, *, p: float, tail: bool) -> Floats:
    judged = evidence.hits.where(evidence.is_judged)
    left = 1 - (1.0 - p) * judged.total(weights(judged.ranks, p))
    if tail:
        return left
    return np.where(evidence.n_retrieved > judged.count(), left, 0.0)


def weights(ranks: Ints, p: float) -> Floats:
    """Return p^(rank - 1), multiplied rank by rank: a power would differ in the last bit."""
    factors = np.full(int(ranks.max(initial=1)), p)
    factors[0] = 1.0
    # Powers underflow to 0 at deep ranks, as they should.
    with np.errstate(under="ignore"):
        return np.multiply.accumulate(factors)[ranks - 1]


def _scaled(evidence: Evidence, gains: GradeGains) -> Floats:
    """Return the gain of each entry, divided by the highest of its topic where that is above 1."""
    universe = evidence.universe
    values = gains_of(universe.grades, gains)
    highest = np.ones(universe.n_topics)
    np.maximum.at(highest, universe.topic_of, values)
    return values / highest[universe.topic_of]


PERSISTENCE = Parameter(
    name="p",
    default=0.8,
    meaning="how likely the user goes on to the next rank, between 0 and 1",
    allowed=lambda p: 0 < p < 1,
)

RBP = Family(
    name="RBP",
    formula=rank_biased_precision,
    definition="The rate at which a user gains, going on from each rank to the next with "
    "probability p: (1 - p) times the sum of p^(rank - 1) over the relevant documents retrieved "
    "(down to k).",
    source="Moffat and Zobel 2008; trec_eval m_rbp.c",
    spellings=(Spelling("rbp", fixed=(("p", 0.9), ("graded", True))),),
    cutoff=Cutoff.OPTIONAL,
    parameters=(
        PERSISTENCE,
        Parameter(
            name="graded",
            kind=bool,
            meaning="True, as in trec_eval's rbp, for documents that gain their grade, divided by "
            "the highest of the topic where that is above 1, whatever the level; or False, as in "
            "ir_measures, for relevant documents that gain 1 each",
        ),
        replace(
            GAINS,
            meaning=f"with graded=True {GAINS.meaning}",
            allowed=lambda gains: all(grade >= 0 and 0 <= gain < math.inf for grade, gain in gains),
        ),
    ),
)

RBP_RESID = Family(
    name="RBPresid",
    formula=residual,
    definition="The most that RBP could still gain: the weight of all ranks without a judged "
    "document (down to k), including those after the last document retrieved.",
    source="Moffat and Zobel 2008; trec_eval m_rbp_resid.c",
    spellings=(Spelling("rbp_resid", fixed=(("p", 0.9), ("tail", False))),),
    cutoff=Cutoff.OPTIONAL,
    parameters=(
        PERSISTENCE,
        Parameter(
            name="tail",
            kind=bool,
            default=True,
            meaning="with False it is 0 when every document retrieved is judged, as trec_eval has "
            "it",
        ),
    ),
    reads_level=False,
    best=Best.NONE,
)
