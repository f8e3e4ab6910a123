"""How sure the difference of two runs is: among all pairs of a board, and for the pair alone."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cleverdon.measures.family import Aggregation, Measure
from cleverdon.measures.scoring.scores import terms_of
from cleverdon.significance.pairs import ALPHA, N_DRAWS, SEED, AllPairs
from cleverdon.significance.randomization import (
    Draws,
    Effect,
    Ends,
    effect,
    not_rejected,
    p_values,
    randomization,
)
from cleverdon.trec.arrays import Floats, Mask

# The flips of all pairs: a board of two runs has one p.
DRAWS = Draws(N_DRAWS, SEED)
OTHER_TESTS = {"t": "paired t", "wilcoxon": "Wilcoxon", "sign": "sign test"}


class Gap(NamedTuple):
    """A test of a mean difference: p, and the interval that belongs to it, if there is one."""

    p: float
    ends: Ends | None
    n_topics: int

    @property
    def is_told(self) -> bool:
        return self.p <= ALPHA


class Difference(NamedTuple):
    """Two runs by a measure; `among` is None without places, `alone` where they never differ."""

    among: Gap | None
    alone: Gap | None

    @property
    def is_told(self) -> bool:
        """The verdict: that of the test among all pairs, where there is one."""
        tested = self.among or self.alone
        return tested is not None and tested.is_told


class Size(NamedTuple):
    """How large a difference is, what other tests say of it, and how many topics it would take."""

    effect: Effect
    ends: Ends | None
    others: list[tuple[str, float]]
    n_needed: int | None


def difference_of(
    values: Floats, measure: Measure, pairs: AllPairs | None, common: Mask
) -> Difference | None:
    """Compare two runs, whose values are [2 x topics]; None for what is no mean.

    `pairs` has p of these two alone, [2 x 2], corrected for all pairs on the `common` topics.
    """
    terms = terms_of(values, measure)
    if terms is None:
        return None
    pair, is_mean = terms.values[0] - terms.values[1], _is_mean(measure)
    own = pair[np.isfinite(pair)]
    p = randomization(own, 2, 0.0, DRAWS).p
    [ends] = not_rejected(own[None], DRAWS) if is_mean else [None]
    alone = None if p is None else Gap(p, ends, len(own))
    if pairs is None:
        return Difference(None, alone)
    shared, p = pair[common], float(pairs.p[0, 1])
    return Difference(Gap(p, pairs.ends(shared, p) if is_mean else None, len(shared)), alone)


def intervals_alone(differences: Floats) -> list[Ends | None]:
    """Return the interval of each mean difference that belongs to the randomization test.

    `differences` are [measures x topics]; topics with NaN do not count.
    """
    found: list[Ends | None] = [None] * len(differences)
    counted = ~np.isnan(differences)
    # Nearly always one round: measures have the same topics.
    for own in np.unique(counted, axis=0):
        rows = np.flatnonzero((counted == own).all(axis=1)).tolist()
        for row, ends in zip(rows, not_rejected(differences[rows][:, own], DRAWS), strict=True):
            found[row] = ends
    return found


def size_of(differences: Floats) -> Size:
    """Return the size of a difference from its values by topic."""
    # scipy takes half a second to import, and few pages need it.
    from cleverdon.significance.paired import TESTS  # noqa: PLC0415
    from cleverdon.significance.power import effect_ends, topics_needed  # noqa: PLC0415

    found = effect(differences)
    tested = [(name, TESTS[key](differences, 2, 0.0, DRAWS).p) for key, name in OTHER_TESTS.items()]
    d_z = found.d_z
    return Size(
        found,
        None if d_z is None else effect_ends(d_z, len(differences)),
        [(name, p) for name, p in tested if p is not None],
        topics_needed(abs(d_z)) if d_z else None,
    )


class PairRow(NamedTuple):
    """A pair of runs by their indices: topics of both, mean difference, and p, raw and corrected.

    Without places there is no corrected p, and without topics of both nothing else.
    """

    one: int
    other: int
    n_topics: int
    difference: float | None
    p: float | None
    corrected: float | None


def pair_rows(values: Floats, measure: Measure, pairs: AllPairs | None) -> Iterator[PairRow]:
    """Yield all pairs of runs whose values are [runs x topics]; none for what is no mean."""
    terms = terms_of(values, measure)
    if terms is None:
        return
    counted = np.isfinite(terms.values)
    for one in range(len(values) - 1):
        both = counted[one] & counted[one + 1 :]
        # Nearly always one round: runs have the same topics.
        for own in np.unique(both, axis=0):
            others = one + 1 + np.flatnonzero((both == own).all(axis=1))
            mine, theirs = terms.values[one, own], terms.values[np.ix_(others, own)]
            p = p_values(mine - theirs, DRAWS)
            for n, other in enumerate(others.tolist()):
                corrected = None if pairs is None else float(pairs.p[one, other])
                if not own.any():
                    yield PairRow(one, other, 0, None, None, corrected)
                    continue
                means = terms.of_mean(np.array([mine.mean(), theirs[n].mean()]))
                gap = float(means[0] - means[1])
                yield PairRow(one, other, int(own.sum()), gap, float(p[n]), corrected)


def _is_mean(measure: Measure) -> bool:
    return measure.family.aggregation is Aggregation.MEAN
