"""How well assessors answer controls: how often they give the grade expected, with an interval."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

from agreement.core.differences import ENOUGH
from agreement.core.statistics import cohen_kappa, confusion
from assess.core.purposes import KNOWN, REPEAT

# 95 % of a normal distribution lie within this many standard deviations.
Z = 1.959963984540054


class Compared(NamedTuple):
    """An answer and the grade expected: the known one, or for a repeat the other answer."""

    topic: str
    assessor: str
    kind: str
    expected: int
    grade: int


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
    first, second = zip(*kept, strict=True)
    kappa = cohen_kappa(confusion(first, second, grades)) if n >= ENOUGH else None
    return ControlAccuracy(
        n, n_equal, *wilson(n_equal, n), sum(map(abs, steps)) / n, sum(steps) / n, kappa
    )


class Quality(NamedTuple):
    """Accuracy on known grades and on repeats; None where there is no answer."""

    known: ControlAccuracy | None
    repeats: ControlAccuracy | None


class ControlReport(NamedTuple):
    """The quality of all answers, by assessor's name, and by topic number."""

    overall: Quality
    by_assessor: dict[str, Quality]
    by_topic: dict[str, Quality]


def control_report(rows: Iterable[Compared], grades: Sequence[int]) -> ControlReport:
    """Report the quality of answers; those with a grade off the scale are left out."""
    on_scale = [each for each in rows if {each.expected, each.grade} <= set(grades)]
    by_assessor: dict[str, list[Compared]] = defaultdict(list)
    by_topic: dict[str, list[Compared]] = defaultdict(list)
    for each in on_scale:
        by_assessor[each.assessor].append(each)
        by_topic[each.topic].append(each)
    return ControlReport(
        _quality(on_scale, grades),
        {name: _quality(some, grades) for name, some in by_assessor.items()},
        {topic: _quality(some, grades) for topic, some in by_topic.items()},
    )


def _quality(rows: Sequence[Compared], grades: Sequence[int]) -> Quality:
    kinds = (
        [(each.expected, each.grade) for each in rows if each.kind == kind]
        for kind in (KNOWN, REPEAT)
    )
    return Quality(*(measured(pairs, grades) for pairs in kinds))


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
