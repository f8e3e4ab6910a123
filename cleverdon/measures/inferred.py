"""Measures inferred from a pool of which a sample was judged, at one rate or by strata."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from cleverdon.measures.family import Cutoff, Family, Input, Measure, Spelling
from cleverdon.measures.gains import GAINS, GradeGains, gains_of
from cleverdon.measures.inputs.evidence import Evidence, log2
from cleverdon.measures.inputs.strata import Sample, strata_of
from cleverdon.trec.arrays import Floats, Mask, owners, ranges, ratio, totals

# Smoothing, which keeps shares of a few judged documents away from 0 and 1: the first is
# trec_eval's INFAP_EPSILON, and both are constants of sample_eval.pl.
LITTLE, LITTLE_MORE = 0.00001, 0.00003


def estimates(measure: Measure) -> bool:
    """Whether it reads the population of a sample, instead of taking what is unjudged for 0."""
    return measure.family in (INFAP, XINFAP, INFNDCG)


def infap(evidence: Evidence) -> Floats:
    """InfAP: the precision expected at each relevant document retrieved, summed, over R.

    It is 1 at rank 1, and at rank r
    1/r + (r-1)/r * (pooled above / (r-1)) * (relevant above + e) / (judged above + 2e).
    """
    hits = evidence.relevant
    pooled = evidence.above_relevant(np.ones(len(evidence.hits), dtype=np.bool_))
    nonrelevant = evidence.nonrelevant_above
    relevant = hits.ordinals - 1
    # At rank 1 no document is above: the 1 avoids a division by 0, and the result is not used.
    above = np.maximum(hits.ranks - 1, 1).astype(np.float64)
    share = (relevant + LITTLE) / (relevant + nonrelevant + 2 * LITTLE)
    expected = 1 / (above + 1) + above / (above + 1) * (pooled / above) * share
    values = np.where(hits.ranks == 1, 1.0, expected)
    return ratio(hits.total(values), evidence.n_relevant)


def xinfap(evidence: Evidence) -> Floats:
    """xinfAP: the precision expected at relevant documents retrieved, weighted, over min(R, k).

    At rank r it is (1 + the relevant documents expected above) / r. Of a stratum's n documents
    above, of which s are sampled and t of those relevant, n (t + 0.00001) / (s + 0.00003) are
    expected to be. A document weighs as many as its stratum has for each sampled one, and R, the
    relevant documents expected in the pool, is the weight of the known ones.
    """
    universe, hits = evidence.universe, evidence.relevant
    sample = Sample.of(universe)
    expected = np.zeros(len(hits))
    for members in _each_stratum(evidence):
        pooled = evidence.above_relevant(members)
        sampled = evidence.above_relevant(members & evidence.is_judged)
        relevant = evidence.above_relevant(members & evidence.is_relevant)
        expected += pooled * (relevant + LITTLE) / (sampled + LITTLE_MORE)
    precisions = (1 + expected) / hits.ranks
    total = hits.total(precisions * sample.weights[hits.entries])
    n_relevant = sample.estimated(universe.grades >= evidence.level, universe.n_topics)
    most = np.minimum(evidence.of_topics(n_relevant), float(evidence.cutoff))
    return ratio(total, most)


def _each_stratum(evidence: Evidence) -> Iterator[Mask]:
    """Yield which hits are of each stratum, for the strata that have any."""
    strata = strata_of(evidence.universe)[evidence.hits.entries]
    for stratum in np.flatnonzero(np.bincount(strata)):
        yield strata == stratum


def infndcg(evidence: Evidence, gains: GradeGains = ()) -> Floats:
    """infNDCG: the DCG expected of the documents retrieved, over that of the best ranking.

    A stratum's gains over log2(rank + 1), summed over its sampled documents retrieved, count as
    often as it has documents retrieved for each sampled one. The best ranking has as many documents
    of each gain as are expected, rounded, and is cut at k.
    """
    by_entry, hits = gains_of(evidence.universe.grades, gains), evidence.hits
    values = by_entry[hits.entries] / log2(hits.ranks.astype(np.int64) + 1)
    dcg = np.zeros(evidence.n_rankings)
    for members in _each_stratum(evidence):
        pooled = hits.where(members).count()
        sampled = hits.where(members & evidence.is_judged).count()
        dcg += hits.total(np.where(members, values, 0.0)) * ratio(pooled, sampled)
    return ratio(dcg, evidence.of_topics(_ideal(evidence, by_entry)))


def _ideal(evidence: Evidence, by_entry: Floats) -> Floats:
    """Return, per topic, the DCG of the best ranking of the documents expected of each gain."""
    universe, sample = evidence.universe, Sample.of(evidence.universe)
    gains = np.unique(by_entry[by_entry > 0])[::-1]
    # Documents of each gain, [topics x gains].
    counts = np.zeros((universe.n_topics, len(gains)), dtype=np.int64)
    for column, gain in enumerate(gains):
        expected = sample.estimated(by_entry == gain, universe.n_topics)
        counts[:, column] = np.floor(expected + 0.5)
    sizes = counts.sum(axis=1)
    ranks, _ = ranges(np.ones_like(sizes), sizes + 1)
    best = np.repeat(np.tile(gains, universe.n_topics), counts.ravel())
    is_read = ranks <= evidence.cutoff
    values = best[is_read] / log2(ranks[is_read] + 1)
    return totals(owners(sizes)[is_read], values, universe.n_topics)


INFAP = Family(
    name="infAP",
    formula=infap,
    definition="AP expected from a pool of which a random sample was judged: of the pooled "
    "documents above a relevant one as many are taken to be relevant as of the judged ones there, "
    "of those not pooled none. A negative grade means pooled and not judged.",
    source="Yilmaz and Aslam 2006; trec_eval m_infap.c",
    spellings=(Spelling("infAP"),),
)

_family = partial(
    Family,
    source="Yilmaz, Kanoulas and Aslam 2008; sample_eval.pl of NIST",
    cutoff=Cutoff.OPTIONAL,
    unit="0 to about 1",
    reads=Input.STRATA,
)

XINFAP = _family(
    name="xinfAP",
    formula=xinfap,
    definition="AP expected from a pool of which a random sample was judged, at a rate of its own "
    "for each stratum: at each relevant document retrieved (down to k) the precision expected, "
    "counted for as many documents as its stratum has for each sampled one, summed, and divided "
    "by R, the relevant documents expected in the pool, or by k where that is less.",
)

INFNDCG = _family(
    name="infNDCG",
    formula=infndcg,
    definition="nDCG expected from a pool of which a random sample was judged, at a rate of its "
    "own for each stratum: discounted gains of the sampled documents retrieved (down to k), those "
    "of a stratum as often as it has documents retrieved for each sampled one, divided by the "
    "same for the best ranking of as many documents of each grade as are expected in the pool. "
    "The gain is the grade unless stated otherwise.",
    parameters=(GAINS,),
    reads_level=False,
)
