"""Curves of precision against recall."""

from typing import NamedTuple

import numpy as np

from evaluation.core.evidence import Evidence
from evaluation.core.measures.interpolated import interpolated
from trec.arrays import Floats, Integers, Mask, ratio


class Points(NamedTuple):
    """A point for each relevant document retrieved, ranking after ranking, recall rising; each array has one element a point."""

    rankings: Integers
    recalls: Floats
    precisions: Floats


class Curve(NamedTuple):
    """Interpolated precision at recall points, [runs x points], averaged over as many topics."""

    recalls: Floats
    precisions: Floats
    n_topics: int


def precision_recall_curve(evidence: Evidence) -> Points:
    """Return recall and precision at the rank of every relevant document retrieved, as they are: not interpolated.

    (Manning, Raghavan and Schütze 2008, section 8.4.)
    """
    found = evidence.relevant
    recalls = ratio(found.ordinals, evidence.n_relevant[found.rankings])
    return Points(found.rankings, recalls, found.precisions)


def recall_points(n_points: int) -> Floats:
    """Return recalls from 0 to 1, evenly: 11 or 101 of them, say. ValueError for fewer than two."""
    if n_points < 2:
        raise ValueError(f"A curve has two points or more, not {n_points}.")
    # Not linspace: 3 / 10 is the number that IPrec@0.3 reads, 3 * 0.1 is not.
    return np.arange(n_points) / (n_points - 1)


def interpolated_curve(
    evidence: Evidence, n_points: int = 11, topics: Mask | None = None
) -> Curve:
    """Return the mean, over topics, of interpolated precision at each of `n_points` recalls, for each run.

    `topics` says which to take, [topics]; without it all are, and one that a run has nothing for counts 0. The values are
    those of IPrec at the same recalls. Without a topic a mean is not a number.
    """
    recalls, n_topics = recall_points(n_points), evidence.universe.n_topics
    chosen = np.ones(n_topics, dtype=np.bool_) if topics is None else topics
    n_runs, n_chosen = evidence.n_rankings // max(1, n_topics), int(chosen.sum())
    if not n_chosen:
        return Curve(recalls, np.full((n_runs, n_points), np.nan), 0)
    values = interpolated(evidence, recalls.tolist())
    of_topics = values.reshape(n_runs, n_topics, n_points)[:, chosen]
    # One after the other in the order of the topics, as aggregates are added.
    return Curve(recalls, np.cumsum(of_topics, axis=1)[:, -1] / n_chosen, n_chosen)
