"""trec_eval's -Z: values in standard deviations from the means that a file gives."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cleverdon.measures.counts import NUM_Q
from cleverdon.measures.family import Aggregation, Measure
from cleverdon.measures.scoring.scores import Scores, terms_of
from cleverdon.trec.means import Means

UNKNOWN = -1_000_000.0


def standardized(
    scores: Scores, names: Sequence[str], means: Means, *, lists_missing: bool
) -> Scores:
    """Return a run's scores with z-scores for values; `names` are the measures' as they print.

    As in trec_eval a value without a mean is UNKNOWN, and a geometric mean is that of the z-scores
    of logarithms. Topics that the run lacks add nothing to a sum unless they are listed (rules
    10 and 11), and the number of topics stays a count.
    """
    values = scores.values.copy()
    for column, (name, measure) in enumerate(zip(names, scores.measures, strict=True)):
        if measure.family is NUM_Q:
            continue
        raw = np.append(values[0, :, column], 0.0)
        terms = terms_of(raw, measure)
        *own, left = (terms.values if terms else raw).tolist()
        for row, (topic, value) in enumerate(zip(scores.topics, own, strict=True)):
            if lists_missing or scores.n_retrieved[0, row]:
                known = means.get((topic, name)) or means.get((topic, f"Z{name}"))
                values[0, row, column] = _zscore(value, known)
            else:
                values[0, row, column] = left
    return replace(scores, values=values)


def _zscore(value: float, known: tuple[float, float] | None) -> float:
    if known is None:
        return UNKNOWN
    mean, deviation = known
    if deviation:
        return (value - mean) / deviation
    return 0.0 if value == mean else UNKNOWN


def aggregated(scores: Scores, topic_set: str) -> list[float]:
    """Return the aggregates of a run's z-scores, one for each measure."""
    added = replace(scores, measures=tuple(map(_of_terms, scores.measures)))
    values = added.aggregate(topic_set).values[0]
    with np.errstate(over="ignore", under="ignore"):
        parts = zip(map(terms_of, values, scores.measures), values, strict=True)
        return [float(terms.of_mean(value) if terms else value) for terms, value in parts]


def _of_terms(measure: Measure) -> Measure:
    """Return the measure as a plain mean if its values are terms already, such as logarithms."""
    if measure.family.aggregation is not Aggregation.GEOMETRIC:
        return measure
    return replace(measure, family=replace(measure.family, aggregation=Aggregation.MEAN))
