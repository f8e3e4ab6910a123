"""The best possible ranking, as evidence like that of any run."""

import numpy as np

from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.subtopics import subtopics_of
from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import Integers, Mask, offsets_of, owners, ranges


def ideal(evidence: Evidence) -> Evidence:
    """Return each topic's ranking of all documents of a grade above 0, cut at the same rank."""
    best = evidence.universe.ideal
    return _ranked(evidence, np.diff(best.offsets), best.entries)


def diverse_ideal(evidence: Evidence, alpha: float) -> Evidence:
    """Return each topic's ranking by the highest gain at every rank, cut at the same rank.

    A document gains (1 - alpha)^n for each of its subtopics, n being the documents above that have
    it; ties go to the higher docno. Taken greedily, like this, it is not always the best
    ranking; ndeval does the same.
    """
    universe = evidence.universe
    orders = [
        _greedy(universe, topic, alpha) + universe.offsets[topic]
        for topic in range(universe.n_topics)
    ]
    counts = np.array([len(order) for order in orders], dtype=np.int64)
    return _ranked(evidence, counts, np.concatenate([np.empty(0, np.int64), *orders]))


def _ranked(evidence: Evidence, counts: Integers, entries: Integers) -> Evidence:
    """Rank entries in this order; `counts` are those of each topic."""
    ranks = ranges(np.ones_like(counts), counts + 1)[0].astype(np.int32)
    placed = Placements(
        offsets_of(counts),
        entries.astype(np.int32),
        ranks,
        firsts=ranks,
        lasts=ranks,
        n_retrieved=counts.astype(np.int32),
    )
    return Evidence(evidence.universe, placed).down_to(evidence.cutoff)


def _greedy(universe: Universe, topic: int, alpha: float) -> Integers:
    has = _matrix(universe, topic)
    left = np.flatnonzero(has.any(axis=1))
    gains, order = np.ones(has.shape[1]), []
    while len(left):
        scores = has[left] @ gains
        # Entries are in order of their docnos: among ties the last is the highest.
        best = left[len(left) - 1 - int(np.argmax(scores[::-1]))]
        order.append(best)
        gains = np.where(has[best], gains * (1 - alpha), gains)
        left = left[left != best]
    return np.array(order, dtype=np.int64)


def _matrix(universe: Universe, topic: int) -> Mask:
    """Return which of a topic's entries has which subtopic, [entries x subtopics]."""
    subtopics = subtopics_of(universe)
    start, end = universe.offsets[topic], universe.offsets[topic + 1]
    bounds = subtopics.offsets[start : end + 1]
    has = np.zeros((int(end - start), int(subtopics.counts[topic])), dtype=np.bool_)
    has[owners(np.diff(bounds)), subtopics.numbers[bounds[0] : bounds[-1]]] = True
    return has
