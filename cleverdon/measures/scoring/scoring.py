"""Score runs."""

from collections.abc import Sequence
from functools import cache, partial
from itertools import pairwise

import numpy as np

from cleverdon.measures.family import Measure
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scores import Scores
from cleverdon.trec.arrays import Floats
from cleverdon.trec.ranking import DEFAULT_RULES

# Placed documents scored at once: their arrays fit in the processor's cache.
BLOCK = 1 << 16


def score(
    runs: Sequence[Placements],
    universe: Universe,
    measures: Sequence[Measure],
    *,
    level: int = 1,
    rules: str = DEFAULT_RULES,
    n_documents: int = 0,
) -> Scores:
    """Score runs on every topic of the universe; each of the placements may be of several runs.

    `level` is for measures that do not name their own; `n_documents` is the size of the collection,
    for measures that need it. A run scores 0 on a topic that is missing from it. ValueError when
    the level is below 1.
    """
    if level < 1:
        raise ValueError(f"A level is a grade above 0, not {level}.")
    read = partial(_part, level=level, rules=rules, n_documents=n_documents)
    parts = [read(Placements.together(block), universe, measures) for block in _blocks(runs)]
    nothing = np.empty((0, universe.n_topics, len(measures)))
    n_retrieved = [run.n_retrieved.reshape(_shape(run, universe)) for run in runs]
    return Scores(
        universe.topics,
        tuple(measures),
        np.concatenate([nothing, *(values for values, _ in parts)]),
        np.concatenate([nothing[:, :, :0].sum(axis=2), *n_retrieved]).astype(np.int64),
        universe.n_at_least(level) > 0,
        {
            column: np.concatenate([denominators[column] for _, denominators in parts])
            for column, measure in enumerate(measures)
            if measure.family.denominator
        },
    )


def _part(
    placements: Placements,
    universe: Universe,
    measures: Sequence[Measure],
    *,
    level: int,
    rules: str,
    n_documents: int,
) -> tuple[Floats, dict[int, Floats]]:
    """Return values, [runs x topics x measures], and denominators of the columns that have them."""

    @cache
    def whole(level: int, *, judged_only: bool) -> Evidence:
        seen = placements.condensed(universe) if judged_only else placements
        return Evidence(universe, seen, level, rules, n_documents, judged_only=judged_only)

    # Two functions, as one that calls itself keeps all arrays until the garbage is collected.
    @cache
    def view(level: int, cutoff: int | None, *, judged_only: bool) -> Evidence:
        seen = whole(level, judged_only=judged_only)
        return seen if cutoff is None else seen.down_to(cutoff)

    shape = _shape(placements, universe)
    values, denominators = np.empty((*shape, len(measures))), {}
    for column, measure in enumerate(measures):
        evidence = view(measure.level or level, measure.cutoff, judged_only=measure.judged_only)
        family, given = measure.family, measure.arguments
        values[:, :, column] = family.formula(evidence, **given).reshape(shape)
        if family.denominator:
            counts = family.denominator(evidence, **given)
            denominators[column] = np.asarray(counts, dtype=np.float64).reshape(shape)
    return values, denominators


def _shape(placements: Placements, universe: Universe) -> tuple[int, int]:
    return placements.n_rankings // max(1, universe.n_topics) or 1, universe.n_topics


def _blocks(runs: Sequence[Placements]) -> list[Sequence[Placements]]:
    """Divide runs into groups of about BLOCK documents and rankings."""
    sizes = np.cumsum([len(run.entries) + run.n_rankings for run in runs])
    edges = [0, *(np.flatnonzero(np.diff(sizes // BLOCK)) + 1).tolist(), len(runs)]
    return [runs[start:end] for start, end in pairwise(edges) if end > start]
