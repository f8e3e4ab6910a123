"""The residual collection: what is left of runs and judgments without the documents that were judged before.

Salton and Buckley 1990, "Improving retrieval performance by relevance feedback"; TREC-COVID scored its later rounds so.
"""

from dataclasses import replace
from typing import Protocol

import numpy as np

from measures.inputs.universe import Universe
from trec.arrays import Integers, Mask, offsets_of
from trec.docnos import Docnos, same
from trec.runs.run import RankedRun


class Listed(Protocol):
    """Documents by topic: a run, or judgments."""

    @property
    def topics(self) -> tuple[str, ...]: ...
    @property
    def offsets(self) -> Integers: ...
    @property
    def docnos(self) -> Docnos: ...


def residual_run(run: RankedRun, seen: Universe) -> RankedRun:
    """Return the run as if its lines for documents of `seen` had never been in the file; a topic may keep none."""
    kept = _unseen(run, seen)
    return replace(
        run,
        offsets=offsets_of(kept)[run.offsets],
        scores=run.scores[kept],
        docnos=run.docnos.take(np.flatnonzero(kept)),
    )


def residual_judgments(universe: Universe, seen: Universe) -> Universe:
    """Return the judgments of documents that are not in `seen`; a topic without any is left out."""
    return universe.within(_unseen(universe, seen))


def _unseen(listed: Listed, seen: Universe) -> Mask:
    """Return which of the documents are not in `seen`, topic by topic."""
    index = {topic: number for number, topic in enumerate(seen.topics)}
    topics = np.array([index.get(topic, -1) for topic in listed.topics], np.int64)
    entries, rows = seen.index.look_up(
        np.repeat(topics, np.diff(listed.offsets)), listed.docnos.hashes
    )
    equal = same(seen.docnos.take(entries), listed.docnos.take(rows))
    is_unseen = np.ones(int(listed.offsets[-1]), dtype=np.bool_)
    is_unseen[rows[equal]] = False
    return is_unseen
