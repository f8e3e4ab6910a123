"""G: gain discounted by how far the ranking has fallen behind the best one."""

import math

import numpy as np

from cleverdon.measures.family import Family, Spelling
from cleverdon.measures.gains import GAINS, Gained, GradeGains, gained_by, running_totals
from cleverdon.measures.inputs.evidence import Evidence, log2
from cleverdon.trec.arrays import Floats, ratio


def gain_ratio(evidence: Evidence, gains: GradeGains = ()) -> Floats:
    gained = gained_by(evidence, gains)
    so_far = running_totals(gained.gains, gained.hits.offsets)
    behind = 2 + _best_so_far(gained) - so_far
    value = gained.hits.total(gained.gains / _logarithms(behind))
    return ratio(value, gained.best_total(gained.best))


def binary_gain_ratio(evidence: Evidence) -> Floats:
    relevant = evidence.relevant
    above = relevant.ranks - relevant.ordinals
    return ratio(relevant.total(1 / log2(2 + above)), evidence.n_relevant)


def _best_so_far(gained: Gained) -> Floats:
    """Return what the best ranking gains down to each hit's rank, at least 1 a document."""
    topics = gained.evidence.topics[gained.hits.rankings]
    reached = np.minimum(gained.hits.ranks, np.diff(gained.ideal.offsets)[topics])
    sums = np.append(0.0, running_totals(np.maximum(gained.best, 1.0), gained.ideal.offsets))
    best = np.where(reached > 0, sums[gained.ideal.offsets[topics] + reached], 0.0)
    return best + (gained.hits.ranks - reached)


def _logarithms(numbers: Floats) -> Floats:
    whole = numbers.astype(np.int64)
    if (whole == numbers).all():
        return log2(whole)
    # numpy's own log2 may miss the last bit of the C library's.
    distinct, positions = np.unique(numbers, return_inverse=True)
    return np.array([math.log2(number) for number in distinct.tolist()])[positions]


G = Family(
    name="G",
    formula=gain_ratio,
    definition="Gain of each document retrieved, divided by log2(2 + what the best ranking has "
    "gained so far - what this one has), summed, and divided by all there is to gain; the best "
    "ranking gains at least 1 a rank. The gain is the grade unless stated otherwise.",
    source="trec_eval m_G.c",
    history="Experimental in trec_eval (April 2008): meant to combine qualities of AP and nDCG.",
    spellings=(Spelling("G", "gains", layout=None),),
    parameters=(GAINS,),
    reads_level=False,
)

BING = Family(
    name="BinG",
    formula=binary_gain_ratio,
    definition="1 / log2(2 + documents above that are not relevant) of each relevant document "
    "retrieved, summed and divided by R.",
    source="trec_eval m_binG.c",
    spellings=(Spelling("binG"),),
)
