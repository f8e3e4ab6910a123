"""Where assessors differ: by how many steps of the scale, on which documents, and who is the stricter one."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from agreement.core.statistics import TwiceJudged, confusion
from campaigns.core.ordering import natural_key
from trec.arrays import Integers

# Of fewer documents judged twice, a kappa or a share says too little to be shown.
ENOUGH = 20


class Leaning(NamedTuple):
    """How many of the documents that somebody judged with others they call relevant, and the others do."""

    name: str
    n: int
    own: float
    others: float

    @property
    def is_enough(self) -> bool:
        return self.n >= ENOUGH


class Difference(NamedTuple):
    """A document whose two grades lie some steps of the scale apart; the first is the official one."""

    topic: str
    docno: str
    name: str
    grade: int
    other_name: str
    other_grade: int
    steps: int


def official_by_second(rows: Iterable[TwiceJudged], grades: Sequence[int]) -> Integers:
    """Return the counts [grades x grades], the official grade by the second one; ValueError as in `confusion`."""
    pairs = [(row[3], row[5]) for row in rows]
    return confusion([one for one, _ in pairs], [other for _, other in pairs], grades)


def by_steps(table: Integers) -> list[int]:
    """Return how many documents have grades 0, 1, 2 … steps of the scale apart.

    >>> by_steps(np.array([[5, 2], [1, 3]]))
    [8, 3]
    """
    apart = [int(np.trace(table))]
    for step in range(1, len(table)):
        both = np.trace(table, offset=step) + np.trace(table, offset=-step)
        apart.append(int(both))
    return apart


def row_shares(table: Integers) -> list[list[float | None]]:
    """Return each count as a share of its row; None in a row of nothing.

    >>> row_shares(np.array([[3, 1], [0, 0]]))
    [[0.75, 0.25], [None, None]]
    """
    return [
        [n / total if total else None for n in row]
        for row, total in zip(table.tolist(), table.sum(axis=1).tolist(), strict=True)
    ]


def leanings(rows: Iterable[TwiceJudged], level: int) -> list[Leaning]:
    """Return everybody who judged with others, the one first who is the most lenient beside them; those with too few last."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for _, _, name, grade, other, other_grade in rows:
        for who, own, others in ((name, grade, other_grade), (other, other_grade, grade)):
            tally = counts[who]
            tally[0] += 1
            tally[1] += own >= level
            tally[2] += others >= level
    found = [Leaning(name, n, own / n, others / n) for name, (n, own, others) in counts.items()]
    return sorted(found, key=lambda each: (not each.is_enough, each.others - each.own, each.name))


def differences(
    rows: Iterable[TwiceJudged], grades: Sequence[int], at_least: int = 2
) -> list[Difference]:
    """Return the documents whose grades are so many steps apart, those farthest apart first, then by topic and docno."""
    place = {grade: n for n, grade in enumerate(grades)}
    found = [
        Difference(*row, abs(place[row[3]] - place[row[5]]))
        for row in rows
        if abs(place[row[3]] - place[row[5]]) >= at_least
    ]
    return sorted(found, key=lambda each: (-each.steps, natural_key(each.topic), each.docno))
