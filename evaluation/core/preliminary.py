"""Scores that follow the judging: only topics judged since the last time are scored again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from cleverdon.measures.family import Measure
from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import NOT_JUDGED, Universe
from cleverdon.measures.scoring.scores import Scores
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.arrays import Floats, Integers
from cleverdon.trec.docnos import decoded
from cleverdon.trec.ranking import DEFAULT_RULES

# Of 50 million pooled documents of 500 runs, scoring all at once takes 3 GB more than these.
AT_ONCE = 1 << 22


@dataclass(frozen=True, eq=False)
class SoFar:
    """The scores so far: `values` [runs x topics x measures], and `n_judged` documents [topics].

    `aggregates` [runs x measures] are over the topics with a judged document, 0 while there is
    none; `n_missing` [runs] counts those of these topics that are missing from a run.
    """

    values: Floats
    n_judged: Integers
    aggregates: Floats
    n_missing: Integers

    @classmethod
    def nothing(cls, n_runs: int, n_topics: int, n_measures: int) -> Self:
        """Return the scores before the first judgment."""
        return cls(
            np.zeros((n_runs, n_topics, n_measures)),
            np.zeros(n_topics, dtype=np.int64),
            np.zeros((n_runs, n_measures)),
            np.zeros(n_runs, dtype=np.int64),
        )


def update(
    before: SoFar,
    placements: Placements,
    universe: Universe,
    official: Mapping[str, Mapping[str, int]],
    stale: Integers,
    *,
    measures: Sequence[Measure],
    level: int = 1,
    rules: str = DEFAULT_RULES,
) -> SoFar:
    """Return the scores after scoring some topics again: `stale`, by index in the universe.

    `official` are the current grades of these topics by docno; the placements are of the runs.
    """
    values, n_judged = before.values.copy(), before.n_judged.copy()
    for some in _parts(stale, placements, universe):
        judged = graded(universe.of_topics(some), official)
        placed = placements.of_topics(some, universe)
        values[:, some] = score([placed], judged, measures, level=level, rules=rules).values
        # A negative grade is a judgment too: its topic counts, as it does in the qrels.
        n_judged[some] = [len(official.get(topic, ())) for topic in judged.topics]
    n_retrieved = placements.n_retrieved.reshape(len(values), -1).astype(np.int64)
    is_judged = n_judged > 0
    scores = Scores(universe.topics, tuple(measures), values, n_retrieved, is_judged, {})
    counted = scores.of_topics(is_judged)
    return SoFar(
        values,
        n_judged,
        np.nan_to_num(counted.aggregate().values),
        (counted.n_retrieved == 0).sum(axis=1),
    )


def _parts(topics: Integers, placements: Placements, universe: Universe) -> list[Integers]:
    """Divide topics into parts that have AT_ONCE of the runs' documents or so each."""
    share = len(placements.entries) * len(topics) // max(universe.n_topics, 1)
    return np.array_split(topics, max(min(share // AT_ONCE, len(topics)), 1))


def graded(universe: Universe, official: Mapping[str, Mapping[str, int]]) -> Universe:
    """Return the universe with the official grades; entries without one are unjudged."""
    topics = (universe.topics[topic] for topic in universe.topic_of.tolist())
    names = decoded(universe.docnos.tolist())
    return universe.with_grades(
        [
            official.get(topic, {}).get(docno, NOT_JUDGED)
            for topic, docno in zip(topics, names, strict=True)
        ]
    )
