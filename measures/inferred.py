"""Measures inferred from a pool of which a sample, drawn by strata, was judged."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from measures.family import Cutoff, Family, Input
from measures.gains import GAINS, GradeGains, gains_of
from measures.inputs.evidence import Evidence, log2
from measures.inputs.strata import Sample, strata_of
from trec.arrays import Floats, Mask, owners, ranges, ratio, totals

# Smoothing: keeps shares of a few sampled documents away from 0 and 1 (the two constants of sample_eval.pl).
LITTLE, LITTLE_MORE = 0.00001, 0.00003


def xinfap(evidence: Evidence) -> Floats:
    """xinfAP: expected precision at each relevant document retrieved, weighted by the documents it stands for, over min(R, k).

    At rank r it is (1 + the relevant documents expected above) / r. Of a stratum's n documents above, of which s are sampled
    and t of those relevant, n (t + 0.00001) / (s + 0.00003) are expected to be. A document stands for as many as its stratum
    has for each sampled one, and R, the relevant documents expected in the pool, is the sum of what the known ones stand for.
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
    """infNDCG: DCG expected of the documents retrieved, over that of the best ranking of what is expected in the pool.

    A stratum's gains over log2(rank + 1), summed over its sampled documents retrieved, count as often as it has documents
    retrieved for each sampled one. The best ranking has as many documents of each gain as are expected, rounded, and is cut at k.
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
    """Return the DCG of the best ranking of as many documents of each gain above 0 as are expected, per topic."""
    universe, sample = evidence.universe, Sample.of(evidence.universe)
    gains = np.unique(by_entry[by_entry > 0])[::-1]
    # How many documents of each gain, [topics x gains].
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


_family = partial(
    Family,
    source="Yilmaz, Kanoulas and Aslam 2008; sample_eval.pl of NIST",
    cutoff=Cutoff.OPTIONAL,
    unit="0 to about 1",
    reads=Input.STRATA,
    is_monotone=False,
)

XINFAP = _family(
    name="xinfAP",
    formula=xinfap,
    definition="AP expected from a pool of which a random sample was judged, at a rate of its own for each stratum: at each relevant document "
    "retrieved (down to k) the precision expected, counted for as many documents as its stratum has for each sampled one, summed, "
    "and divided by R, the relevant documents expected in the pool, or by k where that is less.",
)

INFNDCG = _family(
    name="infNDCG",
    formula=infndcg,
    definition="nDCG expected from a pool of which a random sample was judged, at a rate of its own for each stratum: discounted gains of the sampled "
    "documents retrieved (down to k), those of a stratum as often as it has documents retrieved for each sampled one, divided by the "
    "same for the best ranking of as many documents of each grade as are expected in the pool. The gain is the grade unless stated otherwise.",
    parameters=(GAINS,),
    reads_level=False,
)
