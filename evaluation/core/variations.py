"""The judgments as they might have been: other assessors' grades of documents judged twice."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cleverdon.pools.entries import UNJUDGED
from cleverdon.trec.arrays import Floats, Grades, Integers, Mask, smallest

ORIGINAL, SECOND, UNION, INTERSECTION = "original", "second", "union", "intersection"
ADJUDICATED = "adjudicated"
N_MIXTURES, SEED = 1000, 1


class Twice(NamedTuple):
    """A document judged twice or more: its entry and topic in a universe, and what was said.

    `grades` are by voice, the first one's first; the voices of a topic are its primary judgments
    and each other assessor's. `adjudicated` is the grade that was decided, if any.
    """

    entry: int
    topic: int
    grades: Mapping[str, int]
    adjudicated: int | None = None


class Voices(NamedTuple):
    """The grades by each voice of a topic, [voices x entries], and how many a topic has, [topics].

    Where a voice said nothing of a document judged twice it has the first one's grade.
    """

    grades: list[Grades]
    n: Integers


def variants(official: Grades, judged: Sequence[Twice]) -> dict[str, Grades]:
    """Return the grades of each variant, [entries]; documents judged once keep the official one.

    `adjudicated` is there if anything was: where nothing was it has the original grade.
    """
    entries = [each.entry for each in judged]
    told = [[*each.grades.values()] for each in judged]
    found = {
        ORIGINAL: [each[0] for each in told],
        SECOND: [each[1] for each in told],
        UNION: [max(each) for each in told],
        INTERSECTION: [min(each) for each in told],
    }
    if any(each.adjudicated is not None for each in judged):
        pairs = zip(judged, found[ORIGINAL], strict=True)
        found[ADJUDICATED] = [
            grade if each.adjudicated is None else each.adjudicated for each, grade in pairs
        ]
    return {name: _replaced(official, entries, grades) for name, grades in found.items()}


def labelled(
    official: Grades, pairs: Sequence[tuple[str, str]], labels: Mapping[str, Mapping[str, int]]
) -> Grades | None:
    """Return a program's grades of the documents that have an official one, [entries].

    One that it did not grade is unjudged; None where it graded none of them. `pairs` are the topic
    and docno of each entry.
    """
    found = np.full(len(official), UNJUDGED, dtype=np.int64)
    for at in np.flatnonzero(official >= 0).tolist():
        topic, docno = pairs[at]
        found[at] = labels.get(topic, {}).get(docno, UNJUDGED)
    return smallest(found) if (found != UNJUDGED).any() else None


def voices(official: Grades, judged: Sequence[Twice], n_topics: int) -> Voices:
    """Return the grades by each voice; names only tell voices apart, in the order of documents."""
    by_topic: list[dict[str, int]] = [{} for _ in range(n_topics)]
    for each in judged:
        for voice in each.grades:
            by_topic[each.topic].setdefault(voice, len(by_topic[each.topic]))
    n = np.array([max(1, len(each)) for each in by_topic], dtype=np.int64)
    entries = [each.entry for each in judged]
    layers = []
    for number in range(int(n.max())):
        own = []
        for each in judged:
            first = next(iter(each.grades.values()))
            at = by_topic[each.topic]
            own.append(next((g for v, g in each.grades.items() if at[v] == number), first))
        layers.append(_replaced(official, entries, own))
    return Voices(layers, n)


def _replaced(official: Grades, entries: Sequence[int], grades: Sequence[int]) -> Grades:
    found = official.astype(np.int64)
    found[list(entries)] = grades
    return smallest(found)


def mixtures(n_voices: Integers, n: int = N_MIXTURES, seed: int = SEED) -> Integers:
    """Return the voice that each random mixture takes on each topic, [mixtures x topics]."""
    drawn: Integers = np.random.default_rng(seed).integers(n_voices, size=(n, len(n_voices)))
    return drawn


def mixed(values: Floats, counted: Mask, chosen: Integers) -> Floats:
    """Return the means of mixtures, [mixtures x runs].

    `values` and `counted` are by voice, [voices x runs x topics]; `chosen` is as of `mixtures`.
    """
    total = n = np.zeros(())
    for voice, (own, counts) in enumerate(zip(values, counted, strict=True)):
        takes = (chosen == voice).astype(np.float64)
        total = total + takes @ np.where(counts, own, 0.0).T
        n = n + takes @ counts.T.astype(np.float64)
    with np.errstate(invalid="ignore"):
        means: Floats = total / n
    return means
