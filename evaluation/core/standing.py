"""How runs stand: the interval of each score, the places a run may have, and its class."""

from collections.abc import Sequence
from functools import lru_cache
from math import isnan
from typing import NamedTuple

import numpy as np

from cleverdon.measures.family import Aggregation, Best, Measure
from cleverdon.measures.scoring.scores import Terms, terms_of
from cleverdon.significance.pairs import (
    ALPHA,
    N_DRAWS,
    SEED,
    AllPairs,
    all_pairs,
    is_exact,
    told_apart_from,
)
from cleverdon.significance.places import MOST_CLASSES, classes, place_sets
from cleverdon.significance.studentized import N_DRAWS as N_RESAMPLES
from cleverdon.significance.studentized import SHRUNK, TOPICS_WANTED, studentized, topics_wanted
from cleverdon.trec.arrays import Floats, Mask

# With fewer no two runs differ at 95 %: of five topics all signs agree in 2 of 32 draws.
FEWEST_TOPICS = 6
# Boards whose pairs a worker keeps: whoever compares two runs compares the next two.
KEPT = 8

INTERVALS = (
    "Intervals are of one run each, at 95 %: studentized bootstrap over its topics, the variance "
    f"of each resample shrunk by {100 * SHRUNK:.0f} % to that of the topics, "
    f"{N_RESAMPLES:,} draws, seed {SEED}, within the range of the measure."
)
# What sign flips take for granted.
CONDITION = "where differences scatter alike to both sides or topics are many"


class Standing(NamedTuple):
    """A run by one measure: the ends of its interval, and its places and class, if it has any.

    Intervals are of one run each, at 95 %. Places and classes hold for all runs at once, at 95 %.
    """

    low: float | None
    high: float | None
    best: int | None = None
    worst: int | None = None
    number: int | None = None  # of the class

    @property
    def places(self) -> str:
        """The places that the run may have, the first to the last; "" without any."""
        if self.best is None or self.best == self.worst:
            return str(self.best or "")
        return f"{self.best}\N{EN DASH}{self.worst}"

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends of the interval, if there is one."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def letter(self) -> str:
        """The class as a letter, A for what may be the best; "rest" of the last, "" without one."""
        return letter_of(self.number) if self.number else ""


def letter_of(number: int) -> str:
    """Return a class as a letter, the first as A; "rest" of the last.

    >>> letter_of(2), letter_of(MOST_CLASSES)
    ('B', 'rest')
    """
    return "rest" if number == MOST_CLASSES else chr(ord("A") + number - 1)


def why_no_interval(measure: Measure, n_topics: int) -> str:
    """Say why a run has no interval by a measure."""
    if measure.family.aggregation in (Aggregation.SUM, Aggregation.MICRO):
        return f"{measure} is no mean over topics, so it has no interval."
    [(_, fewest), *_] = TOPICS_WANTED
    if n_topics < fewest:
        return f"An interval takes {fewest} topics."
    return f"So many topics have the same {measure} that an interval takes more than {n_topics:,}."


def standings(
    values: Floats, counted: Mask, measures: Sequence[Measure]
) -> list[list[Standing | None]]:
    """Return the standings of each run, one a measure; None where there are none.

    `values` are [runs x topics x measures], `counted` [runs x topics]. An interval rests on the
    topics of its run, as the score does; places and classes rest on those that count for every run.
    A sum or a micro-average is no mean over topics, so it has none.
    """
    columns = [compared(values[:, :, n], counted, each)[0] for n, each in enumerate(measures)]
    return [list(row) for row in zip(*columns, strict=True)]


def compared(
    values: Floats, counted: Mask, measure: Measure
) -> tuple[list[Standing | None], AllPairs | None]:
    """Return the standings by one measure, whose values are [runs x topics], and its pairs."""
    terms = terms_of(values, measure)
    if terms is None:
        return [None] * len(values), None
    alone, comparable = _alone(terms, counted, measure), _comparable(terms, counted, measure)
    if comparable is None:
        return alone, None
    pairs, sums = _pairs(comparable.tobytes(), len(comparable)), comparable.sum(axis=1)
    better = (pairs.p <= ALPHA) & (sums[:, None] > sums)
    places, own = place_sets(better), classes(better)
    among = zip(places.best.tolist(), places.worst.tolist(), own.tolist(), strict=True)
    standings = [
        each and Standing(*each[:2], *place) for each, place in zip(alone, among, strict=True)
    ]
    return standings, pairs


def places_alone(
    values: Floats, counted: Mask, measure: Measure, run: int
) -> tuple[int, int] | None:
    """Return the places that one run may have, at 95 % for this run alone; None without places.

    They are within those of its standing, by the same draws, and are not stored. `values` and
    `counted` are [runs x topics].
    """
    terms = terms_of(values, measure)
    comparable = _comparable(terms, counted, measure) if terms else None
    if comparable is None:
        return None
    better, worse = told_apart_from(comparable, run)
    return 1 + int(worse.sum()), len(values) - int(better.sum())


def compared_pairs(values: Floats, counted: Mask, measure: Measure) -> AllPairs | None:
    """Compare all pairs of runs as their places do; None without places.

    `values` and `counted` are [runs x topics].
    """
    terms = terms_of(values, measure)
    comparable = _comparable(terms, counted, measure) if terms else None
    return None if comparable is None else _pairs(comparable.tobytes(), len(comparable))


@lru_cache(KEPT)
def _pairs(comparable: bytes, n_runs: int) -> AllPairs:
    return all_pairs(np.frombuffer(comparable, dtype=np.float64).reshape(n_runs, -1))


def flips(n_topics: int) -> str:
    """Return how the signs of pairs on these topics are flipped, in words.

    >>> flips(12), flips(50)
    ('all 4,096 ways', '4,999 draws, seed 1')
    """
    return (
        f"all {1 << n_topics:,} ways" if is_exact(n_topics) else f"{N_DRAWS:,} draws, seed {SEED}"
    )


def _comparable(terms: Terms, counted: Mask, measure: Measure) -> Floats | None:
    """Return what runs are compared by, more is better, on the topics that count for every run.

    None for a measure without a best, for one run, with too few topics, or with a gap.
    """
    best, common = measure.family.best, terms.values[:, counted.all(axis=0)]
    has_places = best is not Best.NONE and len(common) > 1 and common.shape[1] >= FEWEST_TOPICS
    if not has_places or not np.isfinite(common).all():
        return None
    return -common if best is Best.LOWEST else common


def _alone(terms: Terms, counted: Mask, measure: Measure) -> list[Standing | None]:
    """Return the interval of each run over its own topics; None with too few topics or a gap."""
    found: list[Standing | None] = [None] * len(counted)
    is_whole = (np.isfinite(terms.values) | ~counted).all(axis=1) & (
        counted.sum(axis=1) >= FEWEST_TOPICS
    )
    wanted = topics_wanted([terms.values[run, counted[run]] for run in np.flatnonzero(is_whole)])
    # Nearly always one round: runs with the same topics have the same ones drawn.
    for own in np.unique(counted, axis=0):
        runs = np.flatnonzero((counted == own).all(axis=1) & is_whole)
        ends = np.full((2, len(runs)), np.nan)
        if own.sum() >= wanted:
            ends = np.array(studentized(terms.values[np.ix_(runs, own)]))
        within = np.clip(terms.of_mean(ends), *measure.family.range)
        for run, low, high in zip(runs, *within.tolist(), strict=True):
            found[run] = Standing(*((None, None) if isnan(low) else (low, high)))
    return found
