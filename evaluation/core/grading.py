"""The grade table: what a qrels file says of the pairs of a universe."""

import numpy as np

from evaluation.core.universe import Universe
from trec.arrays import Integers
from trec.docnos import same
from trec.qrels import JudgedPairs

NOT_JUDGED = -1


def grades_of(universe: Universe, pairs: JudgedPairs) -> Integers:
    """Return a grade for each entry of the universe, -1 where the pairs have none; ValueError for a pair it has not."""
    index = {topic: number for number, topic in enumerate(universe.topics)}
    own = np.array([index.get(topic, -1) for topic in pairs.topics], dtype=np.int64)
    topics = np.repeat(own, np.diff(pairs.offsets))
    entries, places = universe.table.look_up(topics, pairs.docnos.hashes)
    equal = same(universe.docnos.take(entries), pairs.docnos.take(places))
    entries, places = entries[equal], places[equal]
    if len(places) < len(pairs.grades):
        unknown = np.setdiff1d(np.arange(len(pairs.grades)), places)[0]
        topic = np.searchsorted(pairs.offsets, unknown, side="right") - 1
        docno = pairs.docnos[int(unknown)].decode(errors="replace")
        raise ValueError(
            f"Document {docno} of topic {pairs.topics[topic]} is not in the pool."
        )
    grades = np.full(len(universe.grades), NOT_JUDGED, dtype=np.int64)
    grades[entries] = pairs.grades[places]
    return grades
