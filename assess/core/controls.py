"""Documents mixed in among those that somebody judges, to see how well they judge: where they come, and what the answers say.

A *known* one has a grade that the organizer knows; a *repeat* is one of the assessor's own documents, shown again.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import numpy as np

from assess.core.agreement import cohen_kappa, confusion
from assess.core.differences import ENOUGH
from campaigns.core.mixing import n_of, n_repeats

KNOWN, REPEAT = "known", "repeat"
# A document comes again so many places later at the earliest, in a short topic a third of it.
APART = 20
# Of a normal distribution, 95 % lie within so many standard deviations.
Z = 1.959963984540054


class Served(NamedTuple):
    """A document in the order served; `control` is "" for one of the assessor's own, KNOWN or REPEAT for one mixed in."""

    docno: str
    control: str = ""


class Wanted(NamedTuple):
    """How many documents are mixed in, of either kind, per hundred of the assessor's own."""

    known_percent: int = 0
    repeat_percent: int = 0


def apart(n: int) -> int:
    """Return how many of its n documents a topic goes on at least before one comes again.

    >>> apart(100), apart(10), apart(1)
    (20, 4, 1)
    """
    return min(APART, -(-n // 3))


def mixed(
    order: Sequence[str],
    known: Collection[str],
    wanted: Wanted,
    generator: np.random.Generator,
) -> list[Served]:
    """Return the assessor's documents in their order with the others mixed in: known ones drawn from `known`, and repeats.

    Each kind is spread evenly, one in each of equal parts of the topic, at a place drawn within it. Fewer known ones than
    wanted are all there are. The documents of `order` and `known` must differ: ValueError otherwise.
    """
    if set(order) & set(known):
        raise ValueError("A document with a known grade is among the assessor's own.")
    slots: list[list[Served]] = [[] for _ in range(len(order) + 1)]
    n_known = min(n_of(wanted.known_percent, len(order)), len(known))
    drawn = generator.permutation(sorted(known))[:n_known].tolist()
    for slot, docno in zip(_spread(n_known, 0, len(slots), generator), drawn, strict=True):  # fmt: skip
        slots[slot].append(Served(docno, KNOWN))
    for slot, docno in _repeats(order, n_repeats(wanted.repeat_percent, len(order)), generator):  # fmt: skip
        slots[slot].insert(int(generator.integers(len(slots[slot]) + 1)), Served(docno, REPEAT))  # fmt: skip
    served = slots[0]
    for docno, after in zip(order, slots[1:], strict=True):
        served += [Served(docno), *after]
    return served


def _spread(n: int, first: int, end: int, generator: np.random.Generator) -> list[int]:
    """Draw n of the slots from the first to before the end, one from each of n equal parts."""
    bounds = [first + part * (end - first) // n for part in range(n + 1)] if n else []
    return [int(generator.integers(low, high)) for low, high in pairwise(bounds)]


def _repeats(
    order: Sequence[str], n: int, generator: np.random.Generator
) -> list[tuple[int, str]]:
    """Return the slots in which documents come again, and which: each once, of those that lie far enough back."""
    if not n:
        return []
    gap, earlier, found = apart(len(order)), list[str](), []
    slots = _spread(n, gap, len(order) + 1, generator)
    for before, slot in pairwise([gap - 1, *slots]):
        earlier += order[before - gap + 1 : slot - gap + 1]
        drawn = int(generator.integers(len(earlier)))
        earlier[drawn], earlier[-1] = earlier[-1], earlier[drawn]
        found.append((slot, earlier.pop()))
    return found


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


def measured(
    pairs: Iterable[tuple[int, int]], grades: Sequence[int]
) -> Measured | None:
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
    return Measured(n, n_equal, *wilson(n_equal, n), sum(map(abs, steps)) / n, sum(steps) / n, kappa)  # fmt: skip


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
    by_assessor, by_topic = ({key: _quality(some, grades) for key, some in groups.items()} for groups in of.values())  # fmt: skip
    return ControlReport(_quality(every, grades), by_assessor, by_topic)


def _quality(rows: Sequence[Compared], grades: Sequence[int]) -> Quality:
    kinds = ([(each.expected, each.grade) for each in rows if each.kind == kind] for kind in (KNOWN, REPEAT))  # fmt: skip
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
