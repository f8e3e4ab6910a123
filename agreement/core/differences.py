"""Where assessors differ: by how many steps, on which documents, and who is stricter."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from cleverdon.agreement.statistics import ENOUGH, Tally, TwiceJudged, confusion
from cleverdon.trec.arrays import Integers
from cleverdon.trec.ordering import natural_key


class Leaning(NamedTuple):
    """The shares of the same n documents that an assessor and the others call relevant."""

    name: str
    n: int
    own: float
    others: float

    @property
    def is_enough(self) -> bool:
        return self.n >= ENOUGH

    @property
    def percent(self) -> int:
        return round(100 * self.own)


class Difference(NamedTuple):
    """A document whose two grades are some steps apart; the first is the official one."""

    topic: str
    docno: str
    name: str
    grade: int
    other_name: str
    other_grade: int
    steps: int


def official_by_second(tally: Tally, grades: Sequence[int]) -> Integers:
    """Count [grades x grades] official grades by second ones; ValueError as in `confusion`."""
    pairs: Counter[tuple[int, int]] = Counter()
    for (_, _, grade, _, other), n in tally.items():
        pairs[grade, other] += n
    return confusion(pairs, grades)


def by_steps(table: Integers) -> list[int]:
    """Return how many documents have grades 0, 1, 2 … steps apart.

    >>> by_steps(np.array([[5, 2], [1, 3]]))
    [8, 3]
    """
    apart = [int(np.trace(table))]
    for step in range(1, len(table)):
        both = np.trace(table, offset=step) + np.trace(table, offset=-step)
        apart.append(int(both))
    return apart


def row_shares(table: Integers) -> list[list[float | None]]:
    """Return each count as a share of its row; None in an empty row.

    >>> row_shares(np.array([[3, 1], [0, 0]]))
    [[0.75, 0.25], [None, None]]
    """
    return [
        [n / total if total else None for n in row]
        for row, total in zip(table.tolist(), table.sum(axis=1).tolist(), strict=True)
    ]


def leanings(tally: Tally, level: int) -> list[Leaning]:
    """Return the assessors, the most lenient first; those with too few documents last."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for (_, name, grade, other, other_grade), n in tally.items():
        for who, own, others in ((name, grade, other_grade), (other, other_grade, grade)):
            found = counts[who]
            found[0] += n
            found[1] += n * (own >= level)
            found[2] += n * (others >= level)
    everybody = [Leaning(name, n, own / n, others / n) for name, (n, own, others) in counts.items()]
    return sorted(
        everybody, key=lambda each: (not each.is_enough, each.others - each.own, each.name)
    )


def far_topics(
    tally: Tally, grades: Sequence[int], at_most: int | None, at_least: int = 2
) -> tuple[int, set[str]]:
    """Return how many `differences` there are, and the topics that the first of them are of."""
    step = {grade: n for n, grade in enumerate(grades)}
    far: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    for (topic, _, grade, _, other), n in tally.items():
        if (apart := abs(step[grade] - step[other])) >= at_least:
            far[-apart, natural_key(topic)][topic] += n
    n_before, topics = 0, set[str]()
    for each in sorted(far):
        if at_most is None or n_before < at_most:
            topics.update(far[each])
        n_before += far[each].total()
    return n_before, topics


def differences(
    rows: Iterable[TwiceJudged], grades: Sequence[int], at_least: int = 2
) -> list[Difference]:
    """Return the documents whose grades are `at_least` steps apart, farthest first."""
    step = {grade: n for n, grade in enumerate(grades)}
    every = (Difference(*row, abs(step[row[3]] - step[row[5]])) for row in rows)
    far = (each for each in every if each.steps >= at_least)
    return sorted(far, key=lambda each: (-each.steps, natural_key(each.topic), each.docno))
