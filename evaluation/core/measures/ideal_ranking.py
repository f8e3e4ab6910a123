"""The best possible ranking, as evidence like that of any run."""

import numpy as np

from evaluation.core.evidence import Evidence
from evaluation.core.placements import Placements


def ideal(evidence: Evidence) -> Evidence:
    """Return, for each topic, the ranking of all documents of a grade above 0 by their grades, cut at the same rank."""
    universe, best = evidence.universe, evidence.universe.ideal
    counts = np.bincount(best.topics, minlength=universe.n_topics)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    entries, ranks = best.entries.astype(np.int32), best.ranks.astype(np.int32)
    placed = Placements(offsets, entries, ranks, ranks, ranks, counts.astype(np.int32))
    return Evidence(universe, placed).down_to(evidence.cutoff)
