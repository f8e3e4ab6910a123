"""From a value for each topic to one for the run."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evaluation.core.arrays import Floats, Mask
from evaluation.core.measures.family import Aggregation, Measure
from evaluation.core.placements import Placements, Universe


class Aggregates(NamedTuple):
    """One value for each measure, and the number of topics they are taken over."""

    values: Floats
    n_topics: int


def judged(universe: Universe, _: Placements) -> Mask:
    """All topics of the qrels; those the run has nothing for count 0 (trec_eval -c)."""
    return np.ones(len(universe.topics), dtype=np.bool_)


def retrieved(_: Universe, placements: Placements) -> Mask:
    """Only topics the run has something for (trec_eval without -c). Runs are then not comparable."""
    return placements.n_retrieved > 0


TOPIC_SETS: Mapping[str, Callable[[Universe, Placements], Mask]] = {
    "judged": judged,
    "retrieved": retrieved,
}


def aggregate(
    by_topic: Floats, measures: Sequence[Measure], topics: Mask | None = None
) -> Aggregates:
    """Aggregate a [topics x measures] table over the topics chosen, by default all; counts are summed, the rest averaged.

    The values are added one after the other in the order of the topics, as trec_eval adds them. Without a topic
    a mean is not a number.
    """
    chosen = by_topic if topics is None else by_topic[topics]
    n_topics = len(chosen)
    if not n_topics:
        return Aggregates(np.full(len(measures), np.nan), 0)
    # Not sum(): numpy may add in pairs, which rounds otherwise.
    totals = np.cumsum(chosen, axis=0)[-1]
    summed = [measure.family.aggregation is Aggregation.SUM for measure in measures]
    return Aggregates(np.where(summed, totals, totals / n_topics), n_topics)
