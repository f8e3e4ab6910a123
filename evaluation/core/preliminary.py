"""Scores that follow the judging: topics judged since the last time are scored anew, the others kept."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.core.measures.family import Measure
from evaluation.core.placements import Placements
from evaluation.core.scores import Scores
from evaluation.core.scoring import score
from evaluation.core.universe import Universe
from trec.arrays import Floats, Integers
from trec.ranking import DEFAULT_RULES


@dataclass(frozen=True, eq=False)
class SoFar:
    """What the judging comes to: `values` [runs x topics x measures], and `n_judged` documents [topics].

    `aggregates` [runs x measures] are over the topics with a judged document, 0 while there is none; `n_missing` [runs]
    counts those topics that a run has nothing for.
    """

    values: Floats
    n_judged: Integers
    aggregates: Floats
    n_missing: Integers


def update(
    values: Floats,
    n_judged: Integers,
    placements: Placements,
    pooled: Universe,
    judged: Universe,
    stale: Integers,
    measures: Sequence[Measure],
    *,
    level: int = 1,
    rules: str = DEFAULT_RULES,
) -> SoFar:
    """Return the scores with some topics scored anew. `values` and `n_judged` are those before.

    `stale` are the indices of these topics in the universe `pooled`, in which the runs are placed; `judged` is their part of
    it, with the grades of now.
    """
    fresh = score(
        [placements.of_topics(stale, pooled)],
        judged,
        measures,
        level=level,
        rules=rules,
    )
    values, n_judged = values.copy(), n_judged.copy()
    values[:, stale] = fresh.values
    n_judged[stale] = judged.count(judged.grades >= 0)
    n_retrieved = placements.n_retrieved.reshape(len(values), -1).astype(np.int64)
    is_judged = n_judged > 0
    counted = Scores(
        pooled.topics, fresh.measures, values, n_retrieved, is_judged, {}
    ).of_topics(is_judged)
    return SoFar(
        values,
        n_judged,
        np.nan_to_num(counted.aggregate().values),
        (counted.n_retrieved == 0).sum(axis=1),
    )
