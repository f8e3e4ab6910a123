"""nDCG averaged over ranks: those of documents with a gain, and those where the best gain falls."""

import numpy as np

from cleverdon.measures.cumulated_gain import discounts
from cleverdon.measures.family import Family, Spelling
from cleverdon.measures.gains import GAINS, Gained, GradeGains, gained_by, running_totals
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.trec.arrays import Floats, Integers, begins, offsets_of, ratio


def at_relevant(evidence: Evidence, gains: GradeGains = ()) -> Floats:
    gained = gained_by(evidence, gains)
    values, best = _discounted(gained)
    sums = running_totals(values, gained.hits.offsets)
    ideals = running_totals(best, gained.ideal.offsets)
    n_best = np.diff(gained.ideal.offsets)[evidence.topics]
    paid = np.flatnonzero(gained.gains > 0)
    hits = gained.hits.where(paid)
    reached = np.minimum(hits.ranks, n_best[hits.rankings])
    starts = gained.ideal.offsets[evidence.topics[hits.rankings]]
    at_each = hits.total(sums[paid] / ideals[starts + reached - 1])
    missing = n_best - hits.count()
    at_end = ratio(missing * gained.hits.total(values), gained.best_total(best))
    return ratio(np.maximum(at_each + at_end, 0.0), n_best)


def at_changes(evidence: Evidence, gains: GradeGains = ()) -> Floats:
    gained = gained_by(evidence, gains)
    values, best = _discounted(gained)
    n_best = np.diff(gained.ideal.offsets)[evidence.topics]
    sums, n_values = np.zeros(evidence.n_rankings), np.zeros(evidence.n_rankings)
    for depths in _changes(gained):
        reached = depths[evidence.topics]
        above = gained.hits.ranks <= reached[gained.hits.rankings]
        ideal = np.where(gained.ideal.ranks <= depths[gained.ideal.topics], best, 0.0)
        dcg = gained.hits.total(np.where(above, values, 0.0))
        sums += ratio(dcg, gained.best_total(ideal))
        n_values += reached > 0
    # trec_eval leaves out the whole ranking if it ends one document after the last change.
    is_longer = (n_best > 0) & (evidence.n_retrieved > n_best + 1)
    sums += is_longer * ratio(gained.hits.total(values), gained.best_total(best))
    return np.where(evidence.n_relevant > 0, ratio(sums, n_values + is_longer), 0.0)


def _discounted(gained: Gained) -> tuple[Floats, Floats]:
    """Return the discounted gains of the hits and of the best ranking."""
    values = gained.gains / discounts(gained.hits.ranks)
    return values, gained.best / discounts(gained.ideal.ranks)


def _changes(gained: Gained) -> Integers:
    """Return the ranks after which the best gain falls, [changes x topics], padded with 0."""
    topics, n_topics = gained.ideal.topics, len(gained.ideal.offsets) - 1
    firsts = np.flatnonzero(begins(topics, gained.best))
    changing, lasts = topics[firsts], np.append(firsts, len(topics))[1:] - 1
    counts = np.bincount(changing, minlength=n_topics)
    numbers = np.arange(len(changing)) - offsets_of(counts)[changing]
    depths = np.zeros((counts.max(initial=0), n_topics), dtype=np.int64)
    depths[numbers, changing] = gained.ideal.ranks[lasts]
    return depths


NDCG_REL = Family(
    name="nDCGrel",
    formula=at_relevant,
    definition="nDCG down to the rank of each document that gains something, averaged over all of "
    "them; one that is not retrieved counts the nDCG of the whole ranking. The gain is the grade "
    "unless stated otherwise.",
    source="trec_eval m_ndcg_rel.c",
    spellings=(Spelling("ndcg_rel", "gains", layout=None),),
    parameters=(GAINS,),
    reads_level=False,
)

RNDCG = Family(
    name="Rndcg",
    formula=at_changes,
    definition="nDCG down to each rank after which the gain of the best ranking falls, and of the "
    "whole ranking when it goes on for more than a document, averaged; 0 without a relevant "
    "document. The gain is the grade unless stated otherwise.",
    source="trec_eval m_Rndcg.c",
    history="Experimental in trec_eval.",
    spellings=(Spelling("Rndcg", "gains", layout=None),),
    parameters=(GAINS,),
)
