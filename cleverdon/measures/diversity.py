"""Measures of diversity: how much of a topic's subtopics a ranking covers, and how soon."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from cleverdon.measures.family import Cutoff, Family, Input, Parameter
from cleverdon.measures.ideal_ranking import diverse_ideal
from cleverdon.measures.inputs.evidence import Evidence, log2
from cleverdon.measures.inputs.subtopics import subtopics_of
from cleverdon.measures.rbp import PERSISTENCE
from cleverdon.trec.arrays import Floats, Integers, Ints, ranges, ratio, totals

# The ideal ranking is summed down to this rank at most.
MOST_RANKS = 10_000


class Covered(NamedTuple):
    """The subtopics of each document retrieved, in rank order.

    `earlier` counts the documents above with the same subtopic.
    """

    rankings: Integers
    ranks: Ints
    subtopics: Integers
    earlier: Integers


def covered(evidence: Evidence) -> Covered:
    """Return one row for each subtopic of each hit; ValueError when the qrels have no subtopics."""
    subtopics, hits = subtopics_of(evidence.universe), evidence.hits
    starts, ends = subtopics.offsets[hits.entries], subtopics.offsets[hits.entries + 1]
    rows, _ = ranges(starts, ends)
    rankings = np.repeat(hits.rankings, ends - starts)
    ranks = np.repeat(hits.ranks, ends - starts)
    numbers = subtopics.numbers[rows]
    keys = rankings * (int(subtopics.counts.max(initial=0)) + 1) + numbers
    return Covered(rankings, ranks, numbers, _earlier(keys))


def _earlier(keys: Integers) -> Integers:
    """Count the earlier occurrences of each key."""
    order = np.lexsort((keys,))
    ordered = keys[order]
    starts = np.searchsorted(ordered, ordered)
    earlier = np.empty(len(keys), dtype=np.int64)
    earlier[order] = np.arange(len(keys)) - starts
    return earlier


def _n_subtopics(evidence: Evidence) -> Integers:
    """Return the number of subtopics of the topic, per ranking."""
    return subtopics_of(evidence.universe).counts[evidence.topics]


def _gain(evidence: Evidence, alpha: float, discounts: Floats) -> Floats:
    """Add up the discounted gains of subtopics, per ranking."""
    pairs = covered(evidence)
    gains = (1.0 - alpha) ** pairs.earlier * discounts[pairs.ranks]
    return totals(pairs.rankings, gains, evidence.n_rankings)


def _discounts(evidence: Evidence, *, logarithmic: bool) -> Floats:
    """Return 1 / log2(rank + 1), or 1 / rank, indexed by rank; index 0 is unused."""
    retrieved = int(evidence.n_retrieved.max(initial=1))
    ranks = np.arange(1, max(retrieved, min(evidence.cutoff, MOST_RANKS)) + 1)
    discounts: Floats = np.append(0.0, 1.0 / (log2(ranks + 1) if logarithmic else ranks))
    return discounts


def over_everything(evidence: Evidence, *, alpha: float, logarithmic: bool) -> Floats:
    """alpha_DCG@k, ERR_IA@k: gain, over that of documents that each have all subtopics."""
    discounts = _discounts(evidence, logarithmic=logarithmic)
    ranks = np.arange(1, min(evidence.cutoff, len(discounts) - 1) + 1)
    most = float(((1.0 - alpha) ** (ranks - 1) * discounts[ranks]).sum())
    everything = _n_subtopics(evidence).astype(np.float64) * most
    return ratio(_gain(evidence, alpha, discounts), everything)


def over_ideal(evidence: Evidence, *, alpha: float, logarithmic: bool) -> Floats:
    """alpha_nDCG@k, nERR_IA@k: gain, over that of the best ranking found greedily."""
    gain, ideal = (
        _gain(each, alpha, _discounts(each, logarithmic=logarithmic))
        for each in (evidence, diverse_ideal(evidence, alpha))
    )
    return ratio(gain, evidence.of_topics(ideal))


def nrbp(evidence: Evidence, *, alpha: float, beta: float) -> Floats:
    last = int(evidence.n_retrieved.max(initial=1))
    discounts: Floats = np.append(0.0, beta ** np.arange(last + 1.0))
    gain = _gain(evidence, alpha, discounts) * (1 - (1 - alpha) * beta)
    return ratio(gain, _n_subtopics(evidence))


def nnrbp(evidence: Evidence, *, alpha: float, beta: float) -> Floats:
    ideal = nrbp(diverse_ideal(evidence, alpha), alpha=alpha, beta=beta)
    return ratio(nrbp(evidence, alpha=alpha, beta=beta), evidence.of_topics(ideal))


def subtopic_recall(evidence: Evidence) -> Floats:
    pairs = covered(evidence)
    new = pairs.rankings[pairs.earlier == 0]
    return ratio(np.bincount(new, minlength=evidence.n_rankings), _n_subtopics(evidence))


def precision_ia(evidence: Evidence) -> Floats:
    n_pairs = np.bincount(covered(evidence).rankings, minlength=evidence.n_rankings)
    return ratio(n_pairs, _n_subtopics(evidence) * evidence.cutoff)


def average_precision_ia(evidence: Evidence) -> Floats:
    universe, pairs = evidence.universe, covered(evidence)
    subtopics = subtopics_of(universe)
    # R of each subtopic of each topic, [topics x width].
    width = int(subtopics.counts.max(initial=0)) + 1
    topics = np.repeat(universe.topic_of, np.diff(subtopics.offsets))
    keys = topics * width + subtopics.numbers
    n_relevant = np.bincount(keys, minlength=universe.n_topics * width)
    known = n_relevant[evidence.topics[pairs.rankings] * width + pairs.subtopics]
    values = (pairs.earlier + 1) / pairs.ranks / known
    summed = totals(pairs.rankings, values, evidence.n_rankings)
    return ratio(summed, _n_subtopics(evidence))


ALPHA = Parameter(
    name="alpha",
    default=0.5,
    meaning="how much of a subtopic's gain a document takes from those below it, from 0 to 1",
    allowed=lambda alpha: 0 <= alpha <= 1,
)
BETA = replace(PERSISTENCE, name="beta", default=0.5)

_family = partial(Family, cutoff=Cutoff.ALWAYS, reads_level=False, reads=Input.SUBTOPICS)
_GAIN = (
    "Each document gains, for every subtopic it has, (1 - alpha) to the power of the documents "
    "above that have it"
)
_EVERYTHING = (
    "summed down to k, and divided by the same sum of a ranking each of whose documents has all "
    "subtopics."
)
_IDEAL = "summed down to k, and divided by the same sum of the best ranking, found greedily."
_CLARKE, _CHAPELLE = "Clarke et al. 2008; ndeval", "Chapelle et al. 2011; ndeval"
_NRBP = "Clarke, Kolla and Vechtomova 2009; ndeval"

_gained = partial(_family, parameters=(ALPHA,))
_persistent = partial(_family, source=_NRBP, parameters=(ALPHA, BETA), cutoff=Cutoff.NEVER)

ALPHA_DCG = _gained(
    "alpha_DCG",
    partial(over_everything, logarithmic=True),
    f"{_GAIN}; divided by log2(rank + 1), {_EVERYTHING}",
    _CLARKE,
)
ALPHA_NDCG = _gained(
    "alpha_nDCG",
    partial(over_ideal, logarithmic=True),
    f"{_GAIN}; divided by log2(rank + 1), {_IDEAL}",
    _CLARKE,
)
ERR_IA = _gained(
    "ERR_IA",
    partial(over_everything, logarithmic=False),
    f"{_GAIN}; divided by the rank, {_EVERYTHING}",
    _CHAPELLE,
)
NERR_IA = _gained(
    "nERR_IA",
    partial(over_ideal, logarithmic=False),
    f"{_GAIN}; divided by the rank, {_IDEAL}",
    _CHAPELLE,
)
NRBP = _persistent(
    "NRBP",
    nrbp,
    f"{_GAIN}; times beta^(rank - 1), summed, times 1 - (1 - alpha) beta, and divided by the "
    "number of subtopics.",
)
NNRBP = _persistent("nNRBP", nnrbp, "NRBP divided by that of the best ranking, found greedily.")
ST_RECALL = _family(
    "StRecall",
    subtopic_recall,
    "Subtopics that a document down to rank k is relevant to, divided by the subtopics known.",
    "Zhai, Cohen and Lafferty 2003; ndeval",
)
P_IA = _family(
    "P_IA",
    precision_ia,
    "Precision at k for each subtopic, averaged over subtopics.",
    "Agrawal et al. 2009; ndeval",
)
AP_IA = _family(
    "AP_IA",
    average_precision_ia,
    "Average precision for each subtopic, averaged over subtopics.",
    "Agrawal et al. 2009; ndeval",
    cutoff=Cutoff.NEVER,
)
DIVERSITY = ALPHA_NDCG, ALPHA_DCG, ERR_IA, NERR_IA, NRBP, NNRBP, ST_RECALL, P_IA, AP_IA
