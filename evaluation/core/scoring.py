"""Score a run."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from campaigns.core.runs import RankedRun
from evaluation.core.arrays import Floats
from evaluation.core.evidence import Evidence
from evaluation.core.measures.family import Measure
from evaluation.core.placements import Placements, Universe, place


def score(
    run: RankedRun, universe: Universe, measures: Sequence[Measure], *, level: int = 1
) -> Floats:
    """Return the values of a run, [topics x measures], for the topics of the universe in its order.

    A topic the run has nothing for scores 0. `level` is for the measures that do not name their own.
    """
    return score_placed(place(run, universe), universe, measures, level=level)


def score_placed(
    placements: Placements,
    universe: Universe,
    measures: Sequence[Measure],
    *,
    level: int = 1,
) -> Floats:
    """Return the same from placements, without the run; ValueError when the level is below 1."""
    if level < 1:
        raise ValueError(f"A level is a grade above 0, not {level}.")

    @cache
    def evidence(level: int, cutoff: int) -> Evidence:
        return Evidence.of(placements, universe, level, cutoff)

    values = np.empty((len(universe.topics), len(measures)))
    for column, measure in enumerate(measures):
        values[:, column] = measure.family.formula(
            evidence(measure.level or level, measure.reads_to)
        )
    return values
