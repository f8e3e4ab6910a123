"""Qrels by several assessors, each of whom judged alone (trec_eval -R qrels_jg), as one universe."""

import numpy as np

from evaluation.core.universe import Universe
from trec.arrays import Integers, Mask, smallest
from trec.docnos import Docnos, same
from trec.qrels import JudgedPairs

NO_OPINION, NEGATIVE = -1, -2


def panel(pairs: JudgedPairs) -> Universe:
    """Return the pairs that any assessor judged, with the opinions of each; the grade of a pair is the highest given.

    `pairs` are read with their labels, which are the assessors. Opinion a is that of a topic's assessor number a, in byte order of their
    names: assessors are those of one topic, as trec_eval's judgment groups are. Whoever judged negatively has NEGATIVE, whoever did
    not judge NO_OPINION. ValueError when the pairs have no labels.
    """
    names = Docnos.of(()) if pairs.labels is None else pairs.labels
    if len(names) != len(pairs.docnos):
        raise ValueError("These qrels were read without their second column.")
    topics = np.repeat(np.arange(len(pairs.topics)), np.diff(pairs.offsets))
    begins = _begins(topics, pairs.docnos)
    firsts = np.flatnonzero(begins)
    assessors = _assessors(topics, names)
    opinions = np.full(
        (int(assessors.max(initial=-1)) + 1, len(firsts)), NO_OPINION, dtype=np.int64
    )
    grades = np.where(pairs.grades < 0, NEGATIVE, pairs.grades)
    opinions[assessors, np.cumsum(begins) - 1] = grades
    return Universe(
        pairs.topics,
        np.searchsorted(firsts, pairs.offsets),
        pairs.docnos.take(firsts),
        smallest(opinions.max(axis=0, initial=NEGATIVE)),
        opinions=smallest(opinions),
    )


def _begins(topics: Integers, docnos: Docnos) -> Mask:
    """Tell for each line whether it is the first of its pair."""
    begins = np.ones(len(topics), dtype=np.bool_)
    is_same = same(docnos.take(slice(1, None)), docnos.take(slice(None, -1)))
    begins[1:] = ~(is_same & (topics[1:] == topics[:-1]))
    return begins


def _assessors(topics: Integers, names: Docnos) -> Integers:
    """Return the number of each line's assessor among those of the topic."""
    n_names, numbers = names.numbered()
    keys = topics * n_names + numbers
    found, places = np.unique(keys, return_inverse=True)
    firsts = np.searchsorted(found, topics * n_names)
    numbers_in_topic: Integers = places - firsts
    return numbers_in_topic
