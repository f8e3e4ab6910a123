"""The residual collection: runs and judgments without the documents judged before.

Salton and Buckley 1990, "Improving retrieval performance by relevance feedback"; TREC-COVID scored
its later rounds so.
"""

from dataclasses import replace

import numpy as np

from cleverdon.measures.inputs.universe import DocumentsByTopic, Universe
from cleverdon.trec.arrays import Mask, offsets_of
from cleverdon.trec.runs.run import RankedRun


def residual_run(run: RankedRun, seen: Universe) -> RankedRun:
    """Return the run without its lines for documents of `seen`; a topic may keep none."""
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


def _unseen(documents: DocumentsByTopic, seen: Universe) -> Mask:
    is_unseen = np.ones(int(documents.offsets[-1]), dtype=np.bool_)
    is_unseen[seen.look_up(documents)[1]] = False
    return is_unseen
