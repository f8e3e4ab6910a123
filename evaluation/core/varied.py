"""The boards of runs under other assessors' grades, held against the official one.

As Voorhees (2000, Variations in relevance judgments and the measurement of retrieval effectiveness)
has it, there are variants of the judgments, and random mixtures of them that take one assessor's
grades on each topic.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cleverdon.measures.family import Best, Measure
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scores import Scores, terms_of
from cleverdon.significance.correlations import rbo, tau_ap, tau_b
from cleverdon.significance.pairs import ALPHA, AllPairs
from cleverdon.trec.arrays import Floats, Grades, Integers, Mask
from cleverdon.trec.cells import finite
from evaluation.core.disagreement import Disagreement, Known, OfMeasure, OfRun, OfVariant, Swap
from evaluation.core.standing import compared_pairs
from evaluation.core.variations import SEED, Twice, mixed, mixtures, variants, voices

TOPS = (15, 30)
DECIMALS = 4  # to which scores tie on a board
COEFFICIENTS = (tau_b, tau_ap, rbo)


class Scored(NamedTuple):
    """Runs by a measure: values [runs x topics], which topics count, and the board, [runs]."""

    values: Floats
    counted: Mask
    board: Floats


def varied(
    judged: Universe,
    twice: Sequence[Twice],
    measures: Sequence[Measure],
    tags: Sequence[str],
    *,
    scored: Callable[[Universe], Sequence[Scored]],
    pairs: Mapping[str, AllPairs],
    tell: Callable[[int, int], None],
    programs: Mapping[str, Grades] | None = None,
) -> Disagreement:
    """Score under each variant once, and compare the boards and their mixtures by each measure.

    `programs` are further variants: grades of programs by their names. `scored` takes judgments
    and returns the runs `tags` by each measure; `tell` hears of how many steps how many are done.
    """
    official = judged.grades
    under = {**(variants(official, twice) if twice else {}), **(programs or {})}
    by_voice = voices(official, twice, judged.n_topics)
    every = {each.tobytes(): each for each in (official, *under.values(), *by_voice.grades)}
    n_steps, boards = len(every) + len(measures), dict[bytes, Sequence[Scored]]()
    for key, grades in every.items():  # equal grades are scored once
        boards[key] = scored(judged.with_grades(grades))
        tell(len(boards), n_steps)
    chosen, found = mixtures(by_voice.n), list[OfMeasure | None]()
    for n, measure in enumerate(measures):
        its = {key: each[n] for key, each in boards.items()}
        compared = by_measure(
            measure,
            tags,
            its[official.tobytes()],
            under={name: its[grades.tobytes()] for name, grades in under.items()},
            by_voice=[its[grades.tobytes()] for grades in by_voice.grades],
            chosen=chosen,
            pairs=pairs.get(str(measure)),
        )
        found.append(compared)
        tell(len(boards) + n + 1, n_steps)
    return Disagreement(
        n_judged=int((official >= 0).sum()),
        n_twice=len(twice),
        n_differ=sum(len({*each.grades.values()}) > 1 for each in twice),
        n_topics=len({each.topic for each in twice}),
        n_mixtures=len(chosen),
        seed=SEED,
        measures=[each for each in found if each],
    )


def boards_of(scores: Scores, topic_set: str) -> list[Scored]:
    """Return the runs by each measure, averaged over one of TOPIC_SETS."""
    board, _, counted = scores.aggregate(topic_set)
    values = np.ascontiguousarray(np.moveaxis(scores.values, 2, 0))
    return [Scored(own, counted, each) for own, each in zip(values, board.T, strict=True)]


def says_better(measure: Measure) -> bool:
    """Whether runs are ordered by means of it over topics."""
    is_mean = terms_of(np.zeros((1, 1)), measure) is not None
    return is_mean and measure.family.best is not Best.NONE


def by_measure(
    measure: Measure,
    tags: Sequence[str],
    official: Scored,
    *,
    under: Mapping[str, Scored],
    by_voice: Sequence[Scored],
    chosen: Integers,
    pairs: AllPairs | None = None,
) -> OfMeasure | None:
    """Hold the boards of variants and mixtures against the official one of the runs `tags`.

    Runs without a value on one of them are left out; None with fewer than two others. `chosen` is
    as of `mixtures`, `pairs` are those of the official board if they were compared.
    """
    drawn = _drawn(measure, by_voice, chosen)
    boards: Floats = np.vstack([official.board, *(each.board for each in under.values()), drawn])
    known = np.flatnonzero(np.isfinite(boards).all(axis=0))
    if len(known) < 2:
        return None
    sign = -1 if measure.family.best is Best.LOWEST else 1
    names, scores = [tags[n] for n in known.tolist()], boards[:, known]
    ordered: Floats = sign * np.round(scores, DECIMALS)
    places = np.array([_places(each) for each in ordered])
    parts = [np.ones(len(known), dtype=np.bool_), *(places[0] <= top for top in TOPS)]
    parts = [part for n, part in enumerate(parts) if n == 0 or 1 < part.sum() < len(known)]
    alike = np.array([_alike(ordered[0], each, parts) for each in ordered[1:]])
    told, n = _told(measure, official, pairs), len(under)
    return OfMeasure(
        str(measure),
        [int(part.sum()) for part in parts],
        None if told is None else int(told.sum()),
        [
            OfVariant(
                name,
                _known(its),
                *_flipped(told, told if each is official else _told(measure, each)),
                *_farthest(names, places[0], own),
            )
            for (name, each), its, own in zip(under.items(), alike, places[1:], strict=False)
        ],
        [[_band(each) for each in top] for top in np.moveaxis(alike[n:], 0, -1)],
        _runs(names, scores, places, n),
        _swaps(names, ordered[0], ordered[n + 1 :]),
    )


def _drawn(measure: Measure, by_voice: Sequence[Scored], chosen: Integers) -> Floats:
    """Return the board of each mixture, [mixtures x runs]."""
    terms = [terms_of(each.values, measure) for each in by_voice]
    values = np.stack([each.values for each in terms if each])
    means = mixed(values, np.stack([each.counted for each in by_voice]), chosen)
    return terms[0].of_mean(means) if terms[0] else means


def _places(ordered: Floats) -> Integers:
    places: Integers = 1 + (ordered > ordered[:, None]).sum(axis=1)
    return places


def _alike(official: Floats, other: Floats, parts: Iterable[Mask]) -> list[list[float]]:
    found = [[how(official[part], other[part]) for how in COEFFICIENTS] for part in parts]
    return [[np.nan if each is None else each for each in row] for row in found]


def _known(rows: Floats) -> list[Known]:
    return [[finite(each) for each in row] for row in rows.tolist()]


def _band(values: Floats) -> Known:
    """Return the mean, lowest and highest of those that are defined, None without any."""
    defined = values[np.isfinite(values)]
    if not len(defined):
        return [None] * 3
    return [float(how(defined)) for how in (np.mean, np.min, np.max)]


def _told(measure: Measure, scored: Scored, pairs: AllPairs | None = None) -> Mask | None:
    """Return which runs are told to be better than which, [runs x runs], as on a board."""
    terms = terms_of(scored.values, measure)
    pairs = pairs or compared_pairs(scored.values, scored.counted, measure)
    if pairs is None or terms is None:
        return None
    sign = -1 if measure.family.best is Best.LOWEST else 1
    sums = sign * terms.values[:, scored.counted.all(axis=0)].sum(axis=1)
    told: Mask = (pairs.p <= ALPHA) & (sums[:, None] > sums)
    return told


def _flipped(told: Mask | None, other: Mask | None) -> tuple[int | None, int | None]:
    """Count the pairs told apart that are so the other way round, and those not any more."""
    if told is None or other is None:
        return None, None
    return int((told & other.T).sum()), int((told & ~other & ~other.T).sum())


def _farthest(names: Sequence[str], official: Integers, places: Integers) -> tuple[str, int]:
    """Return the run that moves most, and by how many places it goes up; "" and 0 for none."""
    up = official - places
    first = min(range(len(names)), key=lambda n: (-abs(int(up[n])), names[n]))
    return (names[first], int(up[first])) if up[first] else ("", 0)


def _runs(names: Sequence[str], scores: Floats, places: Integers, n_variants: int) -> list[OfRun]:
    """Return the runs, the best first; rows are the official board, the variants, the mixtures."""
    drawn, under = scores[n_variants + 1 :], scores[1 : n_variants + 1]
    among = places[n_variants + 1 :]
    rows = zip(
        names,
        scores[0].tolist(),
        *(how(drawn, axis=0).tolist() for how in (np.min, np.mean, np.max)),
        *(each.tolist() for each in (places[0], among.min(axis=0), among.max(axis=0))),
        under.T.tolist(),
        strict=True,
    )
    return sorted((OfRun(*row) for row in rows), key=lambda each: (each.place, each.run))


def _swaps(names: Sequence[str], official: Floats, drawn: Floats) -> list[Swap]:
    """Return the neighbors that are swapped in any mixture, those most often swapped first."""
    order = sorted(range(len(names)), key=lambda n: (-official[n], names[n]))
    better, worse = np.array(order[:-1]), np.array(order[1:])
    shares = (drawn[:, better] < drawn[:, worse]).mean(axis=0)
    differ = official[better] > official[worse]
    found = [
        Swap(names[one], names[other], share)
        for one, other, share, is_so in zip(
            better.tolist(), worse.tolist(), shares.tolist(), differ.tolist(), strict=True
        )
        if share and is_so
    ]
    return sorted(found, key=lambda each: -each.share)
