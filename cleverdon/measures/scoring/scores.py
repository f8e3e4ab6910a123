"""Scores of runs on topics, and their aggregates over a stated set of topics."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cleverdon.measures.family import Aggregation, Measure
from cleverdon.trec.arrays import Floats, Integers, Mask, ratio, totals

# In a geometric mean a lower value counts as this one (trec_eval's MIN_GEO_MEAN).
LEAST = 0.00001


class Aggregates(NamedTuple):
    """`values` [runs x measures] over the topics `counted` [runs x topics], `n_topics` [runs]."""

    values: Floats
    n_topics: Integers
    counted: Mask


@dataclass(frozen=True, eq=False)
class Scores:
    """`values[r, t, m]` is the value of measure m for run r on topic t.

    `n_retrieved[r, t]` counts the documents that the run retrieved for the topic, and
    `has_relevant[t]` is whether a relevant document is known. For micro-averaged measures
    `denominators[m]` [runs x topics] is what each value was divided by.
    """

    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Floats
    n_retrieved: Integers
    has_relevant: Mask
    denominators: Mapping[int, Floats]

    def of_topics(self, chosen: Mask) -> "Scores":
        """Return the scores of some topics alone."""
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
        """Return the aggregates over one of TOPIC_SETS; KeyError for another.

        Values are summed in the order of the topics, as trec_eval does. Over no topic they are NaN,
        sums too.
        """
        chosen = TOPIC_SETS[topic_set](self)
        values = np.empty((len(self.values), len(self.measures)))
        for column, measure in enumerate(self.measures):
            values[:, column] = _aggregates(
                measure, self.values[:, :, column], chosen, self.denominators.get(column)
            )
        n_topics = chosen.sum(axis=1)
        values[n_topics == 0] = np.nan
        return Aggregates(values, n_topics, chosen)


def _total(values: Floats, chosen: Mask) -> Floats:
    """Sum over the chosen topics, [runs], one by one: numpy's sum adds in pairs and rounds."""
    n_runs, n_topics = values.shape
    runs = np.repeat(np.arange(n_runs), n_topics)
    return totals(runs, np.where(chosen, values, 0.0).ravel(), n_runs)


def _aggregates(
    measure: Measure, values: Floats, chosen: Mask, denominators: Floats | None
) -> Floats:
    """Return the aggregate of each run, [runs], of one measure's `values` [runs x topics]."""
    if terms := terms_of(values, measure):
        with np.errstate(invalid="ignore"):
            means: Floats = _total(terms.values, chosen) / chosen.sum(axis=1)
        return terms.of_mean(means)
    if measure.family.aggregation is Aggregation.SUM:
        return _total(values, chosen)
    if denominators is None:
        raise ValueError("A micro-average needs the denominator of each topic.")
    numerators = _total(values * denominators, chosen)
    return ratio(numerators, _total(denominators, chosen))


class Terms(NamedTuple):
    """The values that an aggregate is the mean of; `of_mean` makes the aggregate of their mean."""

    values: Floats
    of_mean: Callable[[Floats], Floats]


def terms_of(values: Floats, measure: Measure) -> Terms | None:
    """Return what a measure averages over topics; None for a sum or a micro-average."""
    kind = measure.family.aggregation
    if kind is Aggregation.GEOMETRIC:
        return Terms(np.log(np.maximum(values, LEAST)), np.exp)
    return Terms(values, np.asarray) if kind is Aggregation.MEAN else None


def judged(scores: Scores) -> Mask:
    """Take all topics of the qrels; one that is missing from the run counts 0 (trec_eval -c)."""
    return np.ones(scores.n_retrieved.shape, dtype=np.bool_)


def relevant(scores: Scores) -> Mask:
    """Take the topics with a relevant document."""
    return np.broadcast_to(scores.has_relevant, scores.n_retrieved.shape)


def retrieved(scores: Scores) -> Mask:
    """Take the topics in the run (trec_eval without -c): runs are then not comparable."""
    return scores.n_retrieved > 0


TOPIC_SETS: Mapping[str, Callable[[Scores], Mask]] = {
    "judged": judged,
    "relevant": relevant,
    "retrieved": retrieved,
}
