"""A program beside people, on documents that people judged without seeing what it said.

The documents that people judged are no random sample of those that the program labelled: they were
pooled first, or drawn by the program's grade. So each stands for as many labels of its grade as
there are for each that was judged (post-stratification by the program's grade).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from agreement.core.weights import Size, weighing
from cleverdon.agreement.coefficients import Coefficient, over
from cleverdon.agreement.measured import Figure, Groups
from cleverdon.agreement.ratings import Ratings
from cleverdon.trec.arrays import Floats, Mask

PEOPLE, PROGRAM = "people", "program"  # in this order: people are down in tables
NOBODY = "People judged no such document."

# A topic, and who gave its document which grade.
Rated = tuple[str, tuple[tuple[str, int], ...]]


class Said(NamedTuple):
    """`n` documents with a label and independent grades of people, the official one's first."""

    topic: str
    label: int
    grades: Sequence[tuple[str, int]]
    n: int = 1


class Stratum(NamedTuple):
    """A grade of the program: how many labels it has, and how many of these people judged."""

    grade: int
    n_labels: int
    n_judged: int

    @property
    def weight(self) -> float | None:
        """How many labels each judged document stands for; None if nobody judged any."""
        return self.n_labels / self.n_judged if self.n_judged else None


@dataclass(frozen=True)
class Beside:
    """The program with the first person who judged a document, and people with each other.

    `same` are the program and the first person on the documents of `people`, as these unweighted.
    """

    strata: Sequence[Stratum]
    program: Groups
    people: Groups
    same: Groups
    level: int

    @property
    def n_unseen(self) -> int:
        """How many labels have a grade of which people judged nothing: no figure is about them."""
        return sum(each.n_labels for each in self.strata if not each.n_judged)

    def errors(self) -> list[Figure]:
        """Return in which direction the program is wrong, and how often, with intervals."""
        grades = np.array(self.program.ratings.grades)
        relevant, zero = grades >= self.level, grades == 0
        most = float(grades[-1] - grades[0])
        rows = [
            ("bias", "Its mean grade above that of people", bias, -most, most),
            ("zeros", "Zeros of people that it calls relevant", _share(zero, relevant), 0, 1),
            ("missed", "Relevant to people, and not to it", _share(relevant, ~relevant), 0, 1),
        ]
        if not zero.any():
            del rows[1]
        every = [
            Coefficient(
                key, name, "pairs", value, "", "", ("grades",), NOBODY, lowest=low, highest=high
            )
            for key, name, value, low, high in rows
        ]
        return [figure for each in every for figure in self.program.figures_of(each, "grades")]

    def coefficients(self) -> list[tuple[Figure, Figure]]:
        """Return each coefficient: the program with people, and people with each other."""
        every = zip(self.program.every(), self.people.every(), strict=True)
        return [(one, other) for (one,), (other,) in every]


def bias(table: Floats, grades: Floats) -> Floats:
    """Return the mean of the program's grade above the person's, [...]; people are down."""
    above = (table * np.subtract.outer(grades, grades).T).sum(axis=(-2, -1))
    return over(above, table.sum(axis=(-2, -1)))


def _share(of: Mask, to: Mask) -> Callable[[Floats, Floats], Floats]:
    """Return the share of people's grades `of` some, to which the program gave some `to` others."""

    def share(table: Floats, _: Floats) -> Floats:
        given = table[..., of, :].sum(axis=-2)
        return over(given[..., to].sum(axis=-1), given.sum(axis=-1))

    return share


def beside(
    said: Iterable[Said], labels: Mapping[int, int], grades: Sequence[int], level: int
) -> Beside:
    """Hold a program's labels against people's grades.

    `labels` counts all its labels by grade, `grades` is the scale. What is off the scale is left
    out.

    >>> judged = [Said("1", 1, [("ada", 1)]), Said("1", 0, [("ada", 1)])]
    >>> found = beside(judged, {0: 3, 1: 1}, [0, 1], 1)
    >>> [(each.grade, each.weight) for each in found.strata], found.errors()[0].value
    ([(0, 3.0), (1, 1.0)], -0.75)
    """
    kept = [each for each in said if _is_on(grades, each)]
    judged = Counter[int]()
    pairs, several, same = Counter[Rated](), Counter[Rated](), Counter[Rated]()
    for each in kept:
        judged[each.label] += each.n
        pair = each.topic, ((PEOPLE, each.grades[0][1]), (PROGRAM, each.label))
        pairs[pair] += each.n
        if len(each.grades) > 1:
            several[each.topic, tuple(each.grades)] += each.n
            same[pair] += each.n
    strata = [Stratum(grade, labels.get(grade, 0), judged[grade]) for grade in grades]
    sizes = {each.grade: Size(each.n_labels or each.n_judged, each.n_judged) for each in strata}
    weight = weighing(sizes)
    weights = [weight[label] for _, (_, (_, label)) in pairs]
    program = Groups(_ratings(pairs, grades, weights), level)
    people, on_same = (Groups(_ratings(each, grades), level) for each in (several, same))
    return Beside(strata, program, people, on_same, level)


def _ratings(rows: Counter[Rated], grades: Sequence[int], weights: Sequence[float] = ()) -> Ratings:
    """Return the ratings of different rows, each with how many documents it is of."""
    found = Ratings.from_items([(topic, given, 0) for topic, given in rows], grades, weights)
    return replace(found, n=np.array([*rows.values()], dtype=np.int64))


def _is_on(grades: Sequence[int], said: Said) -> bool:
    return {said.label, *(grade for _, grade in said.grades)} <= {*grades}
