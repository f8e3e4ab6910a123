"""Judgments of several assessors, each kept apart: what trec_eval calls qrels_jg."""

import numpy as np

from campaigns.core.docnos import Docnos, same
from campaigns.core.qrels import JudgedPairs
from evaluation.core.arrays import Integers, smallest
from evaluation.core.universe import Universe

NOTHING = -1


def panel(pairs: JudgedPairs) -> Universe:
    """Return the pairs with the grades of each assessor, from qrels read with their groups: the second column names the assessor.

    Assessors are numbered within a topic, in byte order of their names, as trec_eval adds them up. An entry's own grade is the highest it
    was given. ValueError when the pairs have no groups.
    """
    if pairs.groups is None:
        raise ValueError("These qrels were read without their second column.")
    topics = np.repeat(np.arange(len(pairs.topics)), np.diff(pairs.offsets))
    begins = _begins(topics, pairs.docnos)
    entry = np.cumsum(begins) - 1
    kept = np.flatnonzero(begins)
    number = _numbers(topics, pairs.groups)
    opinions = np.full((number.max(initial=-1) + 1, len(kept)), NOTHING, dtype=np.int64)
    opinions[number, entry] = pairs.grades
    counts = np.bincount(topics[kept], minlength=len(pairs.topics))
    return Universe(
        pairs.topics,
        np.concatenate([[0], np.cumsum(counts)]),
        pairs.docnos.take(kept),
        smallest(opinions.max(axis=0, initial=NOTHING)),
        opinions=smallest(opinions),
    )


def _begins(topics: Integers, docnos: Docnos) -> np.ndarray:
    """Tell for each line whether its topic and docno differ from the line before's; lines are in their order."""
    begins = np.ones(len(topics), dtype=np.bool_)
    equal = same(docnos.take(slice(1, None)), docnos.take(slice(0, -1)))
    begins[1:] = ~(equal & (topics[1:] == topics[:-1]))
    return begins


def _numbers(topics: Integers, groups: Docnos) -> Integers:
    """Return each line's assessor, numbered from 0 within the topic in byte order of the names."""
    names = groups.tolist()
    of_topic: dict[int, set[bytes]] = {}
    for topic, name in zip(topics.tolist(), names, strict=True):
        of_topic.setdefault(topic, set()).add(name)
    index = {
        (topic, name): number
        for topic, assessors in of_topic.items()
        for number, name in enumerate(sorted(assessors))
    }
    pairs = zip(topics.tolist(), names, strict=True)
    return np.array([index[pair] for pair in pairs], dtype=np.int64)
