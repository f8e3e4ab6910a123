"""nDCG averaged: at the documents that gain something, and where the gain of the best ranking changes."""

import numpy as np

from evaluation.core.evidence import Evidence
from evaluation.core.measures.cumulated_gain import discounts
from evaluation.core.measures.family import Family, Spelling
from evaluation.core.measures.gains import GAINS, Gained, Pairs, gained
from evaluation.core.measures.running import running_totals
from trec.arrays import Floats, Integers, begins, offsets_of, ratio


def at_relevant(evidence: Evidence, gains: Pairs = ()) -> Floats:
    found = gained(evidence, gains)
    values, best = _discounted(found)
    sums = running_totals(values, found.hits.offsets)
    ideals = running_totals(best, found.ideal.offsets)
    n_best = np.diff(found.ideal.offsets)[evidence.topics]
    paid = np.flatnonzero(found.gains > 0)
    hits = found.hits.where(paid)
    reached = np.minimum(hits.ranks, n_best[hits.rankings])
    starts = found.ideal.offsets[evidence.topics[hits.rankings]]
    at_each = hits.total(sums[paid] / ideals[starts + reached - 1])
    missing = n_best - hits.count()
    whole = ratio(missing * found.hits.total(values), found.best_total(best))
    return ratio(np.maximum(at_each + whole, 0.0), n_best)


def at_changes(evidence: Evidence, gains: Pairs = ()) -> Floats:
    found = gained(evidence, gains)
    values, best = _discounted(found)
    n_best = np.diff(found.ideal.offsets)[evidence.topics]
    sums, n_values = np.zeros(evidence.n_rankings), np.zeros(evidence.n_rankings)
    for depths in _changes(found):
        reached = depths[evidence.topics]
        above = found.hits.ranks <= reached[found.hits.rankings]
        ideal = np.where(found.ideal.ranks <= depths[found.ideal.topics], best, 0.0)
        dcg = found.hits.total(np.where(above, values, 0.0))
        sums += ratio(dcg, found.best_total(ideal))
        n_values += reached > 0
    # trec_eval leaves the whole out when the ranking ends with the document after the last change.
    is_longer = (n_best > 0) & (evidence.n_retrieved > n_best + 1)
    sums += is_longer * ratio(found.hits.total(values), found.best_total(best))
    return np.where(evidence.n_relevant > 0, ratio(sums, n_values + is_longer), 0.0)


def _discounted(found: Gained) -> tuple[Floats, Floats]:
    """Return the discounted gains of the hits and of the best ranking."""
    values = found.gains / discounts(found.hits.ranks)
    return values, found.best / discounts(found.ideal.ranks)


def _changes(found: Gained) -> Integers:
    """Return the ranks after which the gain of the best ranking falls, [changes x topics], 0 where a topic has no more."""
    topics, n_topics = found.ideal.topics, len(found.ideal.offsets) - 1
    firsts = np.flatnonzero(begins(topics, found.best))
    changing, lasts = topics[firsts], np.append(firsts, len(topics))[1:] - 1
    counts = np.bincount(changing, minlength=n_topics)
    numbers = np.arange(len(changing)) - offsets_of(counts)[changing]
    depths = np.zeros((counts.max(initial=0), n_topics), dtype=np.int64)
    depths[numbers, changing] = found.ideal.ranks[lasts]
    return depths


NDCG_REL = Family(
    name="nDCGrel",
    formula=at_relevant,
    definition="nDCG down to the rank of each document that gains something, averaged over all of them; one that is "
    "not retrieved counts the nDCG of the whole ranking. The gain is the grade unless said otherwise.",
    source="trec_eval m_ndcg_rel.c",
    spellings=(Spelling("ndcg_rel", "gains", layout=None),),
    parameters=(GAINS,),
    reads_level=False,
)

RNDCG = Family(
    name="Rndcg",
    formula=at_changes,
    definition="nDCG down to each rank after which the gain of the best ranking falls, and of the whole ranking when it "
    "goes on for more than a document, averaged; 0 without a relevant document. The gain is the grade unless said otherwise.",
    source="trec_eval m_Rndcg.c",
    history="Experimental in trec_eval.",
    spellings=(Spelling("Rndcg", "gains", layout=None),),
    parameters=(GAINS,),
)
