"""Measures of diversity: how much of a topic's subtopics a ranking covers, and how soon."""

from typing import NamedTuple

import numpy as np

from evaluation.core.evidence import Evidence, log2
from evaluation.core.measures.family import Cutoff, Family, Input, Parameter
from evaluation.core.measures.ideal_ranking import diverse_ideal
from evaluation.core.subtopics import subtopics_of
from trec.arrays import Floats, Integers, Ints, ranges, ratio, totals

# Beyond it a ranking that has everything is not summed up.
MOST_RANKS = 10_000


class Covered(NamedTuple):
    """Each subtopic of each document retrieved, in rank order; `earlier` counts the documents above that have it too."""

    rankings: Integers
    ranks: Ints
    subtopics: Integers
    earlier: Integers


def covered(evidence: Evidence) -> Covered:
    """Take hits apart into their subtopics; ValueError when the qrels have none."""
    subtopics, hits = subtopics_of(evidence.universe), evidence.hits
    starts, ends = subtopics.offsets[hits.entries], subtopics.offsets[hits.entries + 1]
    at, _ = ranges(starts, ends)
    rankings = np.repeat(hits.rankings, ends - starts)
    ranks = np.repeat(hits.ranks, ends - starts)
    numbers = subtopics.numbers[at]
    keys = rankings * (int(subtopics.counts.max(initial=0)) + 1) + numbers
    return Covered(rankings, ranks, numbers, _earlier(keys))


def _earlier(keys: Integers) -> Integers:
    """Count for each key how often it came before."""
    order = np.lexsort((keys,))
    ordered = keys[order]
    starts = np.searchsorted(ordered, ordered)
    earlier = np.empty(len(keys), dtype=np.int64)
    earlier[order] = np.arange(len(keys)) - starts
    return earlier


def _gain(evidence: Evidence, alpha: float, discounts: Floats) -> Floats:
    """Add up what each subtopic gains at its rank: (1 - alpha) for each document above that has it, discounted."""
    pairs = covered(evidence)
    gains = (1.0 - alpha) ** pairs.earlier * discounts[pairs.ranks]
    return totals(pairs.rankings, gains, evidence.n_rankings)


def _most(evidence: Evidence, alpha: float, discounts: Floats) -> Floats:
    """Return what a ranking would gain each of whose documents had every subtopic, per ranking."""
    ranks = np.arange(1, min(evidence.cutoff, len(discounts) - 1) + 1)
    most = float(((1.0 - alpha) ** (ranks - 1) * discounts[ranks]).sum())
    counts = subtopics_of(evidence.universe).counts[evidence.topics]
    return counts.astype(np.float64) * most


def _logarithmic(evidence: Evidence) -> Floats:
    """Return 1 / log2(rank + 1) for every rank that may be asked for, from rank 0, which is not."""
    ranks = np.arange(_deepest(evidence) + 2)
    discounts: Floats = np.concatenate([[0.0], 1.0 / log2(ranks[2:])])
    return discounts


def _reciprocal(evidence: Evidence) -> Floats:
    """Return 1 / rank for every rank that may be asked for, from rank 0, which is not."""
    discounts: Floats = np.concatenate(
        [[0.0], 1.0 / np.arange(1, _deepest(evidence) + 1)]
    )
    return discounts


def _deepest(evidence: Evidence) -> int:
    retrieved = int(evidence.n_retrieved.max(initial=1))
    return max(retrieved, min(evidence.cutoff, MOST_RANKS))


def alpha_dcg(evidence: Evidence, alpha: float = 0.5) -> Floats:
    """alpha_DCG@k: gain over log2(rank + 1), divided by that of a ranking whose every document has all subtopics."""
    discounts = _logarithmic(evidence)
    return ratio(_gain(evidence, alpha, discounts), _most(evidence, alpha, discounts))


def alpha_ndcg(evidence: Evidence, alpha: float = 0.5) -> Floats:
    """alpha_nDCG@k: gain over log2(rank + 1), divided by that of the best ranking found greedily."""
    best = diverse_ideal(evidence, alpha)
    ideal = _gain(best, alpha, _logarithmic(best))
    return ratio(
        _gain(evidence, alpha, _logarithmic(evidence)), evidence.of_topics(ideal)
    )


def err_ia(evidence: Evidence, alpha: float = 0.5) -> Floats:
    """ERR_IA@k: gain over rank, divided by that of a ranking whose every document has all subtopics."""
    discounts = _reciprocal(evidence)
    return ratio(_gain(evidence, alpha, discounts), _most(evidence, alpha, discounts))


def nerr_ia(evidence: Evidence, alpha: float = 0.5) -> Floats:
    """nERR_IA@k: gain over rank, divided by that of the best ranking found greedily."""
    best = diverse_ideal(evidence, alpha)
    ideal = _gain(best, alpha, _reciprocal(best))
    return ratio(
        _gain(evidence, alpha, _reciprocal(evidence)), evidence.of_topics(ideal)
    )


def nrbp(evidence: Evidence, alpha: float = 0.5, beta: float = 0.5) -> Floats:
    """NRBP: gain times beta^(rank - 1), times 1 - (1 - alpha) beta, divided by the number of subtopics."""
    last = int(evidence.n_retrieved.max(initial=1))
    discounts: Floats = np.concatenate([[0.0], beta ** np.arange(last + 1.0)])
    gain = _gain(evidence, alpha, discounts) * (1 - (1 - alpha) * beta)
    return ratio(gain, subtopics_of(evidence.universe).counts[evidence.topics])


def nnrbp(evidence: Evidence, alpha: float = 0.5, beta: float = 0.5) -> Floats:
    """nNRBP: NRBP divided by that of the best ranking found greedily."""
    ideal = nrbp(diverse_ideal(evidence, alpha), alpha, beta)
    return ratio(nrbp(evidence, alpha, beta), evidence.of_topics(ideal))


def subtopic_recall(evidence: Evidence) -> Floats:
    """StRecall@k: subtopics of the documents down to rank k, divided by the number of subtopics."""
    found = covered(evidence)
    first = np.bincount(
        found.rankings[found.earlier == 0], minlength=evidence.n_rankings
    )
    return ratio(first, subtopics_of(evidence.universe).counts[evidence.topics])


def precision_ia(evidence: Evidence) -> Floats:
    """P_IA@k: precision at k for each subtopic, averaged."""
    pairs = np.bincount(covered(evidence).rankings, minlength=evidence.n_rankings)
    n_subtopics = subtopics_of(evidence.universe).counts[evidence.topics]
    return ratio(pairs, n_subtopics * evidence.cutoff)


def average_precision_ia(evidence: Evidence) -> Floats:
    """AP_IA: average precision for each subtopic, averaged."""
    found, subtopics = covered(evidence), subtopics_of(evidence.universe)
    # R of each subtopic of each topic.
    width = int(subtopics.counts.max(initial=0)) + 1
    topics = np.repeat(evidence.universe.topic_of, np.diff(subtopics.offsets))
    n_relevant = np.bincount(
        topics * width + subtopics.numbers, minlength=evidence.universe.n_topics * width
    )
    known = n_relevant[evidence.topics[found.rankings] * width + found.subtopics]
    values = (found.earlier + 1) / found.ranks / known
    totals = np.bincount(found.rankings, values, evidence.n_rankings)
    return ratio(totals.astype(np.float64), subtopics.counts[evidence.topics])


ALPHA = Parameter(
    name="alpha",
    default=0.5,
    meaning="how much of a subtopic's gain a document takes from those below it, from 0 to 1",
    allowed=lambda alpha: 0 <= alpha <= 1,
)
BETA = Parameter(
    name="beta",
    default=0.5,
    meaning="how likely the user goes on to the next rank, between 0 and 1",
    allowed=lambda beta: 0 < beta < 1,
)
GAIN = "Each document gains, for every subtopic it has, (1 - alpha) to the power of the documents above that have it"

ALPHA_DCG = Family(
    name="alpha_DCG",
    formula=alpha_dcg,
    definition=f"{GAIN}; divided by log2(rank + 1), summed down to k, and divided by the same sum of a ranking each of whose documents has all subtopics.",
    source="Clarke et al. 2008; ndeval",
    cutoff=Cutoff.ALWAYS,
    parameters=(ALPHA,),
    reads_level=False,
    reads=Input.SUBTOPICS,
)
ALPHA_NDCG = Family(
    name="alpha_nDCG",
    formula=alpha_ndcg,
    definition=f"{GAIN}; divided by log2(rank + 1), summed down to k, and divided by the same sum of the best ranking, found greedily.",
    source="Clarke et al. 2008; ndeval",
    cutoff=Cutoff.ALWAYS,
    parameters=(ALPHA,),
    reads_level=False,
    reads=Input.SUBTOPICS,
)
ERR_IA = Family(
    name="ERR_IA",
    formula=err_ia,
    definition=f"{GAIN}; divided by the rank, summed down to k, and divided by the same sum of a ranking each of whose documents has all subtopics.",
    source="Chapelle et al. 2011; ndeval",
    cutoff=Cutoff.ALWAYS,
    parameters=(ALPHA,),
    reads_level=False,
    reads=Input.SUBTOPICS,
)
NERR_IA = Family(
    name="nERR_IA",
    formula=nerr_ia,
    definition=f"{GAIN}; divided by the rank, summed down to k, and divided by the same sum of the best ranking, found greedily.",
    source="Chapelle et al. 2011; ndeval",
    cutoff=Cutoff.ALWAYS,
    parameters=(ALPHA,),
    reads_level=False,
    reads=Input.SUBTOPICS,
)
NRBP = Family(
    name="NRBP",
    formula=nrbp,
    definition=f"{GAIN}; times beta^(rank - 1), summed, times 1 - (1 - alpha) beta, and divided by the number of subtopics.",
    source="Clarke, Kolla and Vechtomova 2009; ndeval",
    parameters=(ALPHA, BETA),
    reads_level=False,
    reads=Input.SUBTOPICS,
)
NNRBP = Family(
    name="nNRBP",
    formula=nnrbp,
    definition="NRBP divided by that of the best ranking, found greedily.",
    source="Clarke, Kolla and Vechtomova 2009; ndeval",
    parameters=(ALPHA, BETA),
    reads_level=False,
    reads=Input.SUBTOPICS,
)
ST_RECALL = Family(
    name="StRecall",
    formula=subtopic_recall,
    definition="Subtopics that a document down to rank k is relevant to, divided by the subtopics known.",
    source="Zhai, Cohen and Lafferty 2003; ndeval",
    cutoff=Cutoff.ALWAYS,
    reads_level=False,
    reads=Input.SUBTOPICS,
)
P_IA = Family(
    name="P_IA",
    formula=precision_ia,
    definition="Precision at k for each subtopic, averaged over subtopics.",
    source="Agrawal et al. 2009; ndeval",
    cutoff=Cutoff.ALWAYS,
    reads_level=False,
    reads=Input.SUBTOPICS,
)
AP_IA = Family(
    name="AP_IA",
    formula=average_precision_ia,
    definition="Average precision for each subtopic, averaged over subtopics.",
    source="Agrawal et al. 2009; ndeval",
    reads_level=False,
    reads=Input.SUBTOPICS,
)
