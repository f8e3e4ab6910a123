"""Cumulated gain: plain, discounted by rank, and compared with the best ranking."""

import math
from functools import partial
from typing import Any

import numpy as np

from cleverdon.measures.family import Cutoff, Family, Parameter, Spelling
from cleverdon.measures.gains import GAINS, Gained, gained_by
from cleverdon.measures.inputs.evidence import Evidence, log2
from cleverdon.trec.arrays import Floats, Integers, Ints, ratio


def cumulated_gain(evidence: Evidence, **form: Any) -> Floats:
    gained = gained_by(evidence, **form)
    return gained.hits.total(gained.gains)


def discounted_gain(evidence: Evidence, base: float | None = None, **form: Any) -> Floats:
    return _discounted(gained_by(evidence, **form), base)


def ideal_gain(evidence: Evidence, base: float | None = None, **form: Any) -> Floats:
    return _ideal(gained_by(evidence, **form), base)


def ndcg(evidence: Evidence, base: float | None = None, **form: Any) -> Floats:
    gained = gained_by(evidence, **form)
    return ratio(_discounted(gained, base), _ideal(gained, base))


def discounts(ranks: Integers | Ints, base: float | None = None) -> Floats:
    """Return the divisor at each rank r: log2(r + 1), or with a base max(1, log of r to it)."""
    numbers = ranks.astype(np.int64, copy=False)
    if base is None:
        return log2(numbers + 1)
    return np.maximum(1.0, log2(numbers) / math.log2(base))


def _discounted(gained: Gained, base: float | None) -> Floats:
    return gained.hits.total(gained.gains / discounts(gained.hits.ranks, base))


def _ideal(gained: Gained, base: float | None) -> Floats:
    is_read = gained.ideal.ranks <= gained.evidence.cutoff
    values = gained.best[is_read] / discounts(gained.ideal.ranks[is_read], base)
    return gained.best_total(values, is_read)


FORM = Parameter(
    name="dcg",
    kind=str,
    default="log2",
    meaning="'log2', a grade is its own gain, or 'exp-log2', the gain of grade g is 2^g - 1",
    allowed=lambda form: form in {"log2", "exp-log2"},
)
BASE = Parameter(
    name="base",
    optional=True,
    meaning="a number above 1: the discount becomes max(1, log of the rank to this base), so that "
    "no rank above it is discounted; with 2 the sum is g1 + g2 / log2(2) + g3 / log2(3) + …",
    allowed=lambda base: base > 1,
)

_family = partial(
    Family,
    cutoff=Cutoff.OPTIONAL,
    parameters=(GAINS, FORM, BASE),
    reads_level=False,
    unit="0 and up",
)

NDCG = _family(
    name="nDCG",
    formula=ndcg,
    definition="Gains of the documents retrieved (down to k), each divided by log2(rank + 1), "
    "summed, and divided by the same sum for the best ranking of all judged documents. The gain "
    "is the grade unless stated otherwise.",
    source="Järvelin and Kekäläinen 2002; with 'exp-log2' Burges et al. 2005; trec_eval m_ndcg.c, "
    "m_ndcg_cut.c",
    spellings=(
        Spelling("ndcg", "gains", layout=None),
        Spelling("ndcg_cut", "cutoff"),
        Spelling("ndcg_p", "gains", layout=None, fixed=(("base", 2.0),)),
    ),
    unit="0 to 1",
)

DCG = _family(
    name="DCG",
    formula=discounted_gain,
    definition="Gains of the documents retrieved (down to k), each divided by log2(rank + 1), "
    "summed. The gain is the grade unless stated otherwise.",
    source="Järvelin and Kekäläinen 2002; with 'exp-log2' Burges et al. 2005; trec_eval m_ndcg.c",
    spellings=(Spelling("dcg", "gains", layout=None),),
)

IDCG = _family(
    name="IDCG",
    formula=ideal_gain,
    definition="The DCG of the best ranking of all judged documents (down to k), whatever the run "
    "retrieved.",
    source="Järvelin and Kekäläinen 2002; trec_eval m_ndcg.c",
    spellings=(Spelling("ideal_dcg", "gains", layout=None),),
)

CG = _family(
    name="CG",
    formula=cumulated_gain,
    definition="Gains of the documents retrieved (down to k), summed whatever their ranks. The "
    "gain is the grade unless stated otherwise.",
    source="Järvelin and Kekäläinen 2002",
    parameters=(GAINS, FORM),
)
