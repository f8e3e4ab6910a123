"""How well assessors answer controls: how often they give the grade expected, with an interval."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

from agreement.core.differences import ENOUGH
from agreement.core.statistics import cohen_kappa, confusion
from assess.core.controls import KNOWN, REPEAT

# Of a normal distribution, 95 % lie within so many standard deviations.
Z = 1.959963984540054


class Compared(NamedTuple):
    """An answer beside the grade expected: the known one of a document, or, of a repeat, the one given the other time."""

    topic: str
    assessor: str
    kind: str
    expected: int
    grade: int


class Measured(NamedTuple):
    """What n answers say, each against the grade expected.

    `n_equal` of them are the same grade; `low` to `high` is the 95 % interval of that share (Wilson 1927). `distance` is the mean
    number of steps of the scale between the two, `bias` the same with its sign: above 0 the answers are higher. `kappa` is Cohen's,
    None for fewer than `ENOUGH` or where it is undefined.
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


def measured(pairs: Iterable[tuple[int, int]], grades: Sequence[int]) -> Measured | None:
    """Compare the expected and the given grade of each pair; None without any. Pairs with a grade off the scale are left out.

    >>> found = measured([(0, 0), (1, 2), (2, 0)], [0, 1, 2])
    >>> found.n_equal, found.distance, round(found.bias, 2)
    (1, 1.0, -0.33)
    """
    step = {grade: n for n, grade in enumerate(sorted(grades))}
    kept = [(one, other) for one, other in pairs if {one, other} <= step.keys()]
    if not kept:
        return None
    n, n_equal = len(kept), sum(one == other for one, other in kept)
    steps = [step[other] - step[one] for one, other in kept]
    first, second = zip(*kept, strict=True)
    kappa = cohen_kappa(confusion(first, second, grades)) if n >= ENOUGH else None
    return Measured(
        n, n_equal, *wilson(n_equal, n), sum(map(abs, steps)) / n, sum(steps) / n, kappa
    )


class Quality(NamedTuple):
    """How often answers are right, and how often they are the same the second time; None where there are none."""

    known: Measured | None
    repeats: Measured | None


class ControlReport(NamedTuple):
    """What all answers come to, and those of each assessor and on each topic, by name and number."""

    overall: Quality
    by_assessor: dict[str, Quality]
    by_topic: dict[str, Quality]


def control_report(rows: Iterable[Compared], grades: Sequence[int]) -> ControlReport:
    """Put the answers together. Those with a grade off the scale are left out, and whoever has no others."""
    every = [each for each in rows if {each.expected, each.grade} <= set(grades)]
    of: dict[str, dict[str, list[Compared]]] = {"assessor": {}, "topic": {}}
    for each in every:
        for name, groups in of.items():
            groups.setdefault(getattr(each, name), []).append(each)
    by_assessor, by_topic = (
        {key: _quality(some, grades) for key, some in groups.items()} for groups in of.values()
    )
    return ControlReport(_quality(every, grades), by_assessor, by_topic)


def _quality(rows: Sequence[Compared], grades: Sequence[int]) -> Quality:
    kinds = (
        [(each.expected, each.grade) for each in rows if each.kind == kind]
        for kind in (KNOWN, REPEAT)
    )
    return Quality(*(measured(pairs, grades) for pairs in kinds))


def wilson(n_hits: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's score (1927); it stays between 0 and 1, also where the share is either.

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
