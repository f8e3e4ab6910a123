"""Judgments by subtopic, and the best ranking they allow."""

import numpy as np

from evaluation.core.placements import Placements
from evaluation.core.universe import Subtopics, Universe
from trec.arrays import Integers, Mask, ranges, smallest
from trec.docnos import same
from trec.qrels import JudgedPairs


def by_subtopic(pairs: JudgedPairs) -> Universe:
    """Return the pairs with the subtopics each is relevant to, from qrels whose second column names the subtopic.

    A document is relevant to a subtopic when its grade there is above 0; its own grade is the highest. Only subtopics with a
    relevant document count. ValueError when the qrels were read without their second column.
    """
    if pairs.labels is None:
        raise ValueError("These qrels were read without their second column.")
    topics = np.repeat(np.arange(len(pairs.topics)), np.diff(pairs.offsets))
    begins = np.ones(len(topics), dtype=np.bool_)
    docnos = pairs.docnos
    equal = same(docnos.take(slice(1, None)), docnos.take(slice(0, -1)))
    begins[1:] = ~(equal & (topics[1:] == topics[:-1]))
    entry, kept = np.cumsum(begins) - 1, np.flatnonzero(begins)
    is_relevant = pairs.grades > 0
    numbers, counts = _numbered(topics, pairs.labels.tolist(), is_relevant)
    own = np.bincount(entry[is_relevant], minlength=len(kept))
    highest = np.full(len(kept), np.iinfo(np.int64).min)
    np.maximum.at(highest, entry, pairs.grades)
    sizes = np.bincount(topics[kept], minlength=len(pairs.topics))
    return Universe(
        pairs.topics,
        np.concatenate([[0], np.cumsum(sizes)]),
        docnos.take(kept),
        smallest(highest),
        subtopics=Subtopics(
            np.concatenate([[0], np.cumsum(own)]), numbers[is_relevant], counts
        ),
    )


def _numbered(
    topics: Integers, names: list[bytes], is_relevant: Mask
) -> tuple[Integers, Integers]:
    """Return the number of each line's subtopic within its topic, and how many each topic has."""
    numbers = np.zeros(len(names), dtype=np.int64)
    counts = np.zeros(int(topics.max(initial=-1)) + 1, dtype=np.int64)
    known: dict[tuple[int, bytes], int] = {}
    for row in np.flatnonzero(is_relevant).tolist():
        topic = int(topics[row])
        key = topic, names[row]
        if key not in known:
            known[key] = int(counts[topic])
            counts[topic] += 1
        numbers[row] = known[key]
    return numbers, counts


def subtopics_of(universe: Universe) -> Subtopics:
    """Return the subtopics of a universe; ValueError when it has none."""
    if universe.subtopics is None:
        raise ValueError(
            "These qrels do not say which subtopics a document is relevant to."
        )
    return universe.subtopics


def diverse_ideal(universe: Universe, alpha: float) -> Placements:
    """Return the ranking that takes, rank after rank, the document of the highest gain: the best but for a few (it is greedy).

    A document gains for each of its subtopics (1 - alpha) to the power of the documents above that have it; ties go to the higher docno.
    """
    found = [
        _greedy(universe, topic, alpha) + universe.offsets[topic]
        for topic in range(universe.n_topics)
    ]
    sizes = np.array([len(order) for order in found], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    ranks, _ = ranges(np.ones(len(sizes), dtype=np.int64), sizes + 1)
    entries = np.concatenate([np.empty(0, np.int64), *found]).astype(np.int32)
    numbers = ranks.astype(np.int32)
    return Placements(
        offsets, entries, numbers, numbers, numbers, sizes.astype(np.int32)
    )


def _greedy(universe: Universe, topic: int, alpha: float) -> Integers:
    has = _matrix(universe, topic)
    left = np.flatnonzero(has.any(axis=1))
    gains, order = np.ones(has.shape[1]), []
    while len(left):
        scores = has[left] @ gains
        # Entries are in order of their docnos: of equals the last is the highest.
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
    rows = np.repeat(np.arange(end - start), np.diff(bounds))
    has = np.zeros((int(end - start), int(subtopics.counts[topic])), dtype=np.bool_)
    has[rows, subtopics.numbers[bounds[0] : bounds[-1]]] = True
    return has
