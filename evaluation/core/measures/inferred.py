"""Measures inferred from a pool of which a sample, drawn by strata, was judged."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from evaluation.core.evidence import Evidence, log2
from evaluation.core.measures.family import Cutoff, Family, Input
from evaluation.core.measures.gains import GAINS, Pairs, worths
from evaluation.core.strata import Sample, strata_of
from trec.arrays import Floats, Integers, Mask, ranges, ratio

# What keeps the share of a few sampled documents from being 0 or 1 (sample_eval.pl's two constants).
LITTLE, LITTLE_MORE = 0.00001, 0.00003


def inferred_average_precision(evidence: Evidence) -> Floats:
    """xinfAP: precision expected at each relevant document retrieved, weighed by what it stands for, over min(R, k).

    At rank r it is (1 + the relevant documents expected above) / r. Of a stratum's n documents above, of which s are sampled
    and t of those relevant, n (t + 0.00001) / (s + 0.00003) are expected to be. A document stands for as many as its stratum
    has for each sampled one, and R, the relevant documents expected in the pool, is the sum of what the known ones stand for.
    """
    found, sample = evidence.relevant, Sample.of(evidence.universe)
    expected = np.zeros(len(found))
    for own in _each_stratum(evidence):
        pooled = evidence.above_relevant(own)
        sampled = evidence.above_relevant(own & evidence.is_judged)
        relevant = evidence.above_relevant(own & evidence.is_relevant)
        expected += pooled * (relevant + LITTLE) / (sampled + LITTLE_MORE)
    precisions = (1 + expected) / found.ranks
    total = found.total(precisions * sample.weights[found.entries])
    is_relevant = evidence.universe.grades >= evidence.level
    n_relevant = sample.estimated(is_relevant, evidence.universe.n_topics)
    return ratio(
        total, np.minimum(evidence.of_topics(n_relevant), float(evidence.cutoff))
    )


def _each_stratum(evidence: Evidence) -> Iterator[Mask]:
    """Yield which hits are of each stratum, for the strata that have any."""
    strata = strata_of(evidence.universe)[evidence.hits.entries]
    for stratum in np.flatnonzero(np.bincount(strata)):
        yield strata == stratum


def inferred_ndcg(evidence: Evidence, gains: Pairs = ()) -> Floats:
    """infNDCG: DCG expected of the documents retrieved, over that of the best ranking of what is expected in the pool.

    A stratum's gains over log2(rank + 1), summed over its sampled documents retrieved, count as often as it has documents
    retrieved for each sampled one. The best ranking has as many documents of each gain as are expected, rounded, and is cut at k.
    """
    worth = worths(evidence.universe.grades, gains)
    hits = evidence.hits
    values = worth[hits.entries] / log2(hits.ranks.astype(np.int64) + 1)
    dcg = np.zeros(evidence.n_rankings)
    for own in _each_stratum(evidence):
        pooled = hits.where(own).count()
        sampled = hits.where(own & evidence.is_judged).count()
        dcg += hits.total(np.where(own, values, 0.0)) * ratio(pooled, sampled)
    return ratio(dcg, evidence.of_topics(_ideal(evidence, worth)))


def _ideal(evidence: Evidence, worth: Floats) -> Floats:
    """Return the DCG of the best ranking of the documents expected, per topic."""
    best = _expected(evidence, worth)
    values = best.gains / log2(best.ranks + 1)
    read = best.ranks <= evidence.cutoff
    sums = np.bincount(best.topics[read], values[read], evidence.universe.n_topics)
    return sums.astype(np.float64, copy=False)


class Best(NamedTuple):
    """The best ranking of what the pool is expected to hold, topic after topic; each array has one element a document."""

    topics: Integers
    ranks: Integers
    gains: Floats


def _expected(evidence: Evidence, worth: Floats) -> Best:
    """Return as many documents of each gain above 0 as are expected, the highest gain first."""
    universe, sample = evidence.universe, Sample.of(evidence.universe)
    gains = np.unique(worth[worth > 0])[::-1]
    counts = np.zeros((universe.n_topics, len(gains)), dtype=np.int64)
    for column, gain in enumerate(gains):
        expected = sample.estimated(worth == gain, universe.n_topics)
        counts[:, column] = np.floor(expected + 0.5)
    sizes = counts.sum(axis=1)
    ranks, _ = ranges(np.ones_like(sizes), sizes + 1)
    topics = np.repeat(np.arange(universe.n_topics), sizes)
    each = np.repeat(np.tile(gains, universe.n_topics), counts.ravel())
    return Best(topics, ranks, each)


XINFAP = Family(
    name="xinfAP",
    formula=inferred_average_precision,
    definition="AP expected from a pool of which a random sample was judged, at a rate of its own for each stratum: at each relevant document "
    "retrieved (down to k) the precision expected, counted for as many documents as its stratum has for each sampled one, summed, "
    "and divided by R, the relevant documents expected in the pool, or by k where that is less.",
    source="Yilmaz, Kanoulas and Aslam 2008; sample_eval.pl of NIST",
    cutoff=Cutoff.OPTIONAL,
    unit="0 to about 1",
    reads=Input.STRATA,
    is_monotone=False,
)

INFNDCG = Family(
    name="infNDCG",
    formula=inferred_ndcg,
    definition="nDCG expected from a pool of which a random sample was judged, at a rate of its own for each stratum: discounted gains of the sampled "
    "documents retrieved (down to k), those of a stratum as often as it has documents retrieved for each sampled one, divided by the "
    "same for the best ranking of as many documents of each grade as are expected in the pool. The gain is the grade unless said otherwise.",
    source="Yilmaz, Kanoulas and Aslam 2008; sample_eval.pl of NIST",
    cutoff=Cutoff.OPTIONAL,
    parameters=(GAINS,),
    reads_level=False,
    unit="0 to about 1",
    reads=Input.STRATA,
    is_monotone=False,
)
