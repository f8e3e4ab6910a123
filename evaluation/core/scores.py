"""A table of scores, and what it comes to over a stated set of topics."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evaluation.core.measures.family import Aggregation, Measure
from trec.arrays import Floats, Integers, Mask, ratio

# What a value below it counts as in a geometric mean (trec_eval's MIN_GEO_MEAN).
LEAST = 0.00001


class Aggregates(NamedTuple):
    """One value for each run and measure, [runs x measures], and the number of topics each run's are taken over, [runs]."""

    values: Floats
    n_topics: Integers


@dataclass(frozen=True, eq=False)
class Scores:
    """`values[r, t, m]` is what measure m gives run r on topic t; `n_retrieved[r, t]` what the run has for the topic.

    `has_relevant[t]` says whether a relevant document is known; `denominators[m]`, for the measures that are micro-averaged alone, what each value was divided by, [runs x topics].
    """

    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Floats
    n_retrieved: Integers
    has_relevant: Mask
    denominators: Mapping[int, Floats]

    def of_topics(self, chosen: Mask) -> "Scores":
        """Return the part of some topics."""
        topics = tuple(self.topics[t] for t in np.flatnonzero(chosen).tolist())
        return Scores(
            topics,
            self.measures,
            self.values[:, chosen],
            self.n_retrieved[:, chosen],
            self.has_relevant[chosen],
            {column: counts[:, chosen] for column, counts in self.denominators.items()},
        )

    def aggregate(self, topic_set: str = "judged") -> Aggregates:
        """Take values over a set of topics named in TOPIC_SETS; KeyError when it is not one.

        They are added one after the other in the order of the topics, as trec_eval adds them. Without a topic a mean is not
        a number.
        """
        chosen = TOPIC_SETS[topic_set](self)
        values = np.empty((len(self.values), len(self.measures)))
        for column, measure in enumerate(self.measures):
            own, counts = self.values[:, :, column], self.denominators.get(column)
            aggregation = measure.family.aggregation
            values[:, column] = AGGREGATES[aggregation](own, chosen, counts)
        return Aggregates(values, chosen.sum(axis=1))


def _total(values: Floats, chosen: Mask) -> Floats:
    """Add up the topics chosen, [runs]: one after the other, for sum() may add in pairs, which rounds otherwise."""
    padded = np.concatenate(
        [np.zeros((len(values), 1)), np.where(chosen, values, 0.0)], axis=1
    )
    totals: Floats = np.cumsum(padded, axis=1)[:, -1]
    return totals


def _sum(values: Floats, chosen: Mask, _: Floats | None) -> Floats:
    return _total(values, chosen)


def _mean(values: Floats, chosen: Mask, _: Floats | None) -> Floats:
    with np.errstate(invalid="ignore"):
        means: Floats = _total(values, chosen) / chosen.sum(axis=1)
    return means


def _geometric_mean(values: Floats, chosen: Mask, _: Floats | None) -> Floats:
    return np.exp(_mean(np.log(np.maximum(values, LEAST)), chosen, None))


def _micro(values: Floats, chosen: Mask, denominators: Floats | None) -> Floats:
    """Sum numerators and denominators over topics before dividing."""
    if denominators is None:
        raise ValueError("A micro-average needs the denominator of each topic.")
    return ratio(_total(values * denominators, chosen), _total(denominators, chosen))


AGGREGATES: Mapping[Aggregation, Callable[[Floats, Mask, Floats | None], Floats]] = {
    Aggregation.SUM: _sum,
    Aggregation.MEAN: _mean,
    Aggregation.GEOMETRIC: _geometric_mean,
    Aggregation.MICRO: _micro,
}


def judged(scores: Scores) -> Mask:
    """All topics of the qrels; those a run has nothing for count 0 (trec_eval -c)."""
    return np.ones(scores.n_retrieved.shape, dtype=np.bool_)


def relevant(scores: Scores) -> Mask:
    """Topics with a relevant document."""
    return np.broadcast_to(scores.has_relevant, scores.n_retrieved.shape)


def retrieved(scores: Scores) -> Mask:
    """Only topics the run has something for (trec_eval without -c). Runs are then not comparable."""
    return scores.n_retrieved > 0


TOPIC_SETS: Mapping[str, Callable[[Scores], Mask]] = {
    "judged": judged,
    "relevant": relevant,
    "retrieved": retrieved,
}
