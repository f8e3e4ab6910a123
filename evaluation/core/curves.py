"""Curves of precision against recall."""

from typing import NamedTuple

import numpy as np

from evaluation.core.evidence import Evidence
from evaluation.core.measures.interpolated import interpolated
from trec.arrays import Floats, Integers, Mask, ratio


class Points(NamedTuple):
    """A point for each relevant document retrieved, ranking after ranking, recall rising. Each array has shape [n_points]."""

    rankings: Integers
    recalls: Floats
    precisions: Floats


class Curve(NamedTuple):
    """Interpolated `precisions` [runs x points] at `recalls` [points], averaged over `n_topics` topics."""

    recalls: Floats
    precisions: Floats
    n_topics: int


def precision_recall_curve(evidence: Evidence) -> Points:
    """Return recall and precision at the rank of every relevant document retrieved, not interpolated.

    (Manning, Raghavan and Schütze 2008, section 8.4.)
    """
    hits = evidence.relevant
    recalls = ratio(hits.ordinals, evidence.n_relevant[hits.rankings])
    return Points(hits.rankings, recalls, hits.precisions)


def recall_points(n_points: int) -> Floats:
    """Return evenly spaced recalls from 0 to 1, of which there are usually 11 or 101. ValueError for fewer than two."""
    if n_points < 2:
        raise ValueError(f"A curve has two points or more, not {n_points}.")
    # Not linspace: IPrec@0.3 reads 3 / 10, which is not 3 * 0.1.
    return np.arange(n_points) / (n_points - 1)


def interpolated_curve(
    evidence: Evidence, n_points: int = 11, topics: Mask | None = None
) -> Curve:
    """Return each run's mean interpolated precision at `n_points` recalls: IPrec at the same recalls.

    `topics`, a mask of shape [topics], says which topics to average over: all by default. A run counts 0 on a topic that it
    has nothing for. Over no topic the mean is NaN.
    """
    recalls, n_topics = recall_points(n_points), evidence.universe.n_topics
    chosen = np.ones(n_topics, dtype=np.bool_) if topics is None else topics
    n_runs, n_chosen = evidence.n_rankings // max(1, n_topics), int(chosen.sum())
    if not n_chosen:
        return Curve(recalls, np.full((n_runs, n_points), np.nan), 0)
    values = interpolated(evidence, recalls.tolist())
    of_topics = values.reshape(n_runs, n_topics, n_points)[:, chosen]
    # Sequentially in the order of the topics, as aggregates are summed.
    return Curve(recalls, np.cumsum(of_topics, axis=1)[:, -1] / n_chosen, n_chosen)
