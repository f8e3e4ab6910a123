"""How well assessors answer controls: how often they give the grade expected, with an interval."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from math import sqrt
from typing import NamedTuple

from assess.core.purposes import KNOWN, REPEAT
from cleverdon.agreement.measured import ENOUGH, Groups
from cleverdon.agreement.ratings import Ratings

# 95 % of a normal distribution lie within this many standard deviations.
Z = 1.959963984540054


class Compared(NamedTuple):
    """An answer and the grade expected: the known one, or for a repeat the other answer."""

    topic: str
    assessor: str
    kind: str
    expected: int
    grade: int
    judgment: int
    at: datetime


class ControlAccuracy(NamedTuple):
    """How far n answers agree with the grades expected.

    `n_equal` of them are the same grade; `low` to `high` is the 95 % interval of that share
    (Wilson 1927). `distance` is the mean number of steps of the scale between the two, `bias` the
    same with its sign: above 0 the answers are higher. `kappa` is Cohen's, None for fewer than
    `ENOUGH` or where it is undefined.
    """

    n: int
    n_equal: int
    low: float
    high: float
    distance: float
    bias: float
    kappa: float | None

    @property
    def share(self) -> float:
        return self.n_equal / self.n


def measured(pairs: Iterable[tuple[int, int]], grades: Sequence[int]) -> ControlAccuracy | None:
    """Compare the expected and the given grade of each pair; None without any.

    Pairs with a grade off the scale are left out.

    >>> accuracy = measured([(0, 0), (1, 2), (2, 0)], [0, 1, 2])
    >>> accuracy.n_equal, accuracy.distance, round(accuracy.bias, 2)
    (1, 1.0, -0.33)
    """
    step = {grade: n for n, grade in enumerate(sorted(grades))}
    kept = [(one, other) for one, other in pairs if {one, other} <= step.keys()]
    if not kept:
        return None
    n, n_equal = len(kept), sum(one == other for one, other in kept)
    steps = [step[other] - step[one] for one, other in kept]
    kappa = _kappa(kept, grades) if n >= ENOUGH else None
    return ControlAccuracy(
        n, n_equal, *wilson(n_equal, n), sum(map(abs, steps)) / n, sum(steps) / n, kappa
    )


def _kappa(pairs: Sequence[tuple[int, int]], grades: Sequence[int]) -> float | None:
    [figure] = Groups(Ratings.of(pairs, grades), grades[0]).figures("cohen", "grades")
    return figure.value


class ControlFigures(NamedTuple):
    """The accuracy of answers to one kind of control: of all, by assessor's name, by topic number.

    None, or left out, where there is no answer.
    """

    overall: ControlAccuracy | None
    by_assessor: dict[str, ControlAccuracy]
    by_topic: dict[str, ControlAccuracy]


class ControlReport(NamedTuple):
    known: ControlFigures
    repeats: ControlFigures


def control_report(rows: Iterable[Compared], grades: Sequence[int]) -> ControlReport:
    """Report the accuracy of answers; those with a grade off the scale are left out."""
    pairs: dict[str, list[Compared]] = defaultdict(list)
    for each in rows:
        pairs[each.kind].append(each)
    return ControlReport(*(_figures(pairs[kind], grades) for kind in (KNOWN, REPEAT)))


def _figures(rows: Sequence[Compared], grades: Sequence[int]) -> ControlFigures:
    groups: list[dict[str, list[tuple[int, int]]]] = [defaultdict(list) for _ in range(3)]
    for each in rows:
        for group, name in zip(groups, ("", each.assessor, each.topic), strict=True):
            group[name].append((each.expected, each.grade))
    overall, names, topics = (
        {name: found for name, pairs in group.items() if (found := measured(pairs, grades))}
        for group in groups
    )
    return ControlFigures(overall.get(""), names, topics)


def wilson(n_hits: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's score (1927), within 0 and 1.

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    share, squared = n_hits / n, Z * Z
    middle = share + squared / (2 * n)
    half = Z * sqrt(share * (1 - share) / n + squared / (4 * n * n))
    whole = 1 + squared / n
    low, high = (middle - half) / whole, (middle + half) / whole
    # Rounding must not leave a share of 0 or 1 outside.
    return max(0.0, min(share, low)), min(1.0, max(share, high))
