"""Where assessors differ: by how many steps, on which documents, and how each one does."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from cleverdon.agreement.measured import ENOUGH, Figure, Groups
from cleverdon.agreement.ratings import Ratings
from cleverdon.trec.arrays import Integers


class Side(NamedTuple):
    """An assessor and the others on the same documents; one counts once with each of them.

    `both` documents the two call relevant, `own` and `others` only one of them, and `neither`. The
    assessor gave each grade so often as `given` says. `figure` compares the two.
    """

    name: str
    both: int
    own: int
    others: int
    neither: int
    given: tuple[int, ...]
    figure: Figure

    @property
    def n(self) -> int:
        return self.both + self.own + self.others + self.neither

    @property
    def is_enough(self) -> bool:
        return self.n >= ENOUGH

    @property
    def share(self) -> float:
        """Which share the assessor calls relevant."""
        return (self.both + self.own) / self.n

    @property
    def share_of_others(self) -> float:
        return (self.both + self.others) / self.n


class Difference(NamedTuple):
    """A document that two people have judged: who gave which grade, how many steps apart.

    The first is the primary assessor or, of two others, the earlier one, unless it is somebody who
    was asked for. Both assignments by id.
    """

    topic: str
    docno: str
    name: str
    grade: int
    other_name: str
    other_grade: int
    steps: int
    assignment: int
    other_assignment: int


def chosen(ratings: Ratings, topic: str = "", assessor: str = "", other: str = "") -> Ratings:
    """Return the ratings of a topic, or of somebody with each other person, or with one.

    An assessor stands first then; nothing is left of names that have no ratings.
    """
    if topic:
        topics = np.array(ratings.topics, dtype=object)
        ratings = ratings.only(topics[ratings.topic] == topic)
    if not assessor and not other:
        return ratings
    turned, names = ratings.in_pairs().turned(), np.array([*ratings.raters, ""], dtype=object)
    first, second = names[turned.rater].T
    if assessor and other:
        return turned.only((first == assessor) & (second == other))
    return turned.only(first == (assessor or other))


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


def sides(ratings: Ratings, level: int, key: str, reference: int | None = None) -> list[Side]:
    """Return each assessor beside the others, the most lenient first, those of few last.

    Beside one of them alone where that is a reference, such as the adjudicated grade of each.
    `key` is the coefficient on relevance that compares them.
    """
    groups = Groups.by_rater(ratings, level, reference)
    turned, n_raters = groups.ratings, len(ratings.raters)
    relevant = np.array([grade >= level for grade in ratings.grades]).astype(int)
    side = 2 * relevant[turned.place[:, 0]] + relevant[turned.place[:, 1]]
    cells = _tabled(groups.group, side, turned.n, (n_raters, 4))
    given = _tabled(groups.group, turned.place[:, 0], turned.n, (n_raters, len(ratings.grades)))
    figures = groups.figures(key, "relevance")
    rows = zip(ratings.raters, cells.tolist(), given.tolist(), figures, strict=True)
    everybody = [
        Side(name, both, own, others, neither, tuple(grades), figure)
        for name, (neither, others, own, both), grades, figure in rows
        if figure.n
    ]
    return sorted(
        everybody, key=lambda its: (not its.is_enough, its.share_of_others - its.share, its.name)
    )


def _tabled(row: Integers, column: Integers, n: Integers, shape: tuple[int, int]) -> Integers:
    cells = np.bincount(row * shape[1] + column, n, shape[0] * shape[1])
    return cells.reshape(shape).astype(np.int64)


def far_topics(ratings: Ratings, at_most: int | None, at_least: int = 2) -> tuple[int, set[str]]:
    """Return how many pairs of grades are so far apart, and the topics of the first of them.

    The farthest come first, and of these the first topics.
    """
    row, _, place = ratings.pairs()
    steps, topic, n = abs(place[:, 0] - place[:, 1]), ratings.topic[row], ratings.n[row]
    far: Counter[tuple[int, int]] = Counter()
    is_far = steps >= at_least
    for each in zip(
        (-steps[is_far]).tolist(), topic[is_far].tolist(), n[is_far].tolist(), strict=True
    ):
        far[each[:2]] += each[2]
    n_before, topics = 0, set[str]()
    for apart, number in sorted(far):
        if at_most is None or n_before < at_most:
            topics.add(ratings.topics[number])
        n_before += far[apart, number]
    return n_before, topics
