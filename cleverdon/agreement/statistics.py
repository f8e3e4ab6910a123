"""Agreement between assessors, two to a document, beyond what chance would give.

Two assessors are compared by Cohen's kappa. Over several pairs nobody is the first assessor of all,
so chance is estimated from everybody's grades, as Fleiss (1971) does where different people judge
different documents.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

import numpy as np

from cleverdon.trec.arrays import Integers
from cleverdon.trec.ordering import natural_key

# Fewer documents judged twice are too few for a kappa or a share.
ENOUGH = 20
NO_DOCUMENT = "No document was judged by both assessors."
ONE_CATEGORY = (
    "The assessors put every document in one and the same category: "
    "agreement beyond chance is undefined."
)

# Topic and docno, then the name and the grade of each of two assessors.
TwiceJudged = tuple[str, str, str, int, str, int]
# How many rows have the same but for the docno.
Tally = Counter[tuple[str, str, int, str, int]]
AssessorPair = tuple[str, str]  # names, in order
_ByPair = dict[AssessorPair, Integers]


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement on n documents. Undefined values are None, never 1 or 0, and `reason` says why.

    `confusion[i, j]` counts documents with `grades[i]` from the first assessor and `grades[j]` from
    the second. Over several pairs of assessors `grades[i]` is the lower grade and `grades[j]` the
    higher, and `kappa` is `pooled_kappa`.
    """

    n: int
    grades: tuple[int, ...]
    confusion: Integers
    raw: float | None
    kappa: float | None
    pooled_kappa: float | None
    reason: str
    of_several_pairs: bool = False


class ComparedGrades(NamedTuple):
    """Agreement on the grades as given, and on relevant or not; `kappa` is that of the second.

    Both kappas are None where they are undefined or rest on fewer documents than `ENOUGH`.
    """

    graded: Agreement
    binary: Agreement

    @property
    def is_enough(self) -> bool:
        return self.binary.n >= ENOUGH

    @property
    def kappa(self) -> float | None:
        return self.binary.kappa if self.is_enough else None

    @property
    def graded_kappa(self) -> float | None:
        return self.graded.kappa if self.is_enough else None


class AgreementReport(NamedTuple):
    """Agreement over all documents, by topic, and by pair of assessors."""

    overall: ComparedGrades
    by_topic: Mapping[str, ComparedGrades]
    by_pair: Mapping[AssessorPair, ComparedGrades]


def tallied(rows: Iterable[TwiceJudged]) -> Tally:
    return Counter((topic, *rest) for topic, _, *rest in rows)  # type: ignore[misc]


def confusion(pairs: Mapping[tuple[int, int], int], grades: Sequence[int]) -> Integers:
    """Return the confusion matrix [grades x grades], first assessor by second.

    `pairs` says how many documents have each two grades. ValueError when one is not on the scale.
    """
    position = {grade: i for i, grade in enumerate(grades)}
    unknown = {grade for pair in pairs for grade in pair} - set(position)
    if unknown:
        raise ValueError(
            f"{min(unknown)} is not a grade of the scale {', '.join(map(str, grades))}."
        )
    table = np.zeros((len(grades), len(grades)), dtype=np.int64)
    for (one, other), n in pairs.items():
        table[position[one], position[other]] = n
    return table


def cohen_kappa(table: Integers) -> float | None:
    """Return (Po - Pe) / (1 - Pe), Pe = Σ p(first gives i) p(second gives i) (Cohen 1960).

    None when undefined.
    """
    n, same, first, second = _counted(table)
    return _beyond_chance(n * same, sum(map(mul, first, second)), n * n)


def pooled_kappa(table: Integers) -> float | None:
    """Return (Po - Pe) / (1 - Pe), Pe = Σ p(either gives i)², pooled; None when undefined.

    This is Scott's pi (1955), and Fleiss' kappa (1971) of two judgments a document: swapping the
    grades of a document does not change it. Siegel and Castellan (1988) and Manning, Raghavan and
    Schütze (2008, chapter 8) call it kappa, the name that readers of the field look for.
    """
    n, same, first, second = _counted(table)
    both = sum((one + other) ** 2 for one, other in zip(first, second, strict=True))
    return _beyond_chance(4 * n * same, both, 4 * n * n)


def _counted(table: Integers) -> tuple[int, int, list[int], list[int]]:
    """Return n, the number of equal grades, and how often each of the two gave each grade.

    For tables this small Python's integers are faster than arrays, and they never overflow.
    """
    rows = table.tolist()
    first, second = [sum(row) for row in rows], [sum(row) for row in zip(*rows, strict=True)]
    return sum(first), sum(row[n] for n, row in enumerate(rows)), first, second


def _beyond_chance(observed: int, expected: int, whole: int) -> float | None:
    """Return (observed - expected) / (whole - expected), None where that is 0 / 0.

    With integers the quotient is correctly rounded, and an expected agreement of 1 is exact.
    """
    return None if expected == whole else (observed - expected) / (whole - expected)


def agreement(
    table: Integers, grades: Sequence[int], *, of_several_pairs: bool = False
) -> Agreement:
    """Return the agreement of these counts; `raw` is the share of documents with equal grades."""
    n, same, _, _ = _counted(table)
    raw, pooled = same / n if n else None, pooled_kappa(table)
    kappa = pooled if of_several_pairs else cohen_kappa(table)
    reason = NO_DOCUMENT if not n else ONE_CATEGORY if kappa is None else ""
    return Agreement(n, tuple(grades), table, raw, kappa, pooled, reason, of_several_pairs)


def overall_agreement(tally: Tally, grades: Sequence[int]) -> Agreement:
    """Compare the grades of all rows; ValueError as in `agreement_report`."""
    return _put_together(confusion_by_pair(tally, grades).values(), grades)


def confusion_by_pair(tally: Tally, grades: Sequence[int]) -> dict[AssessorPair, Integers]:
    """Return each pair's counts, the first by name down; ValueError as in `agreement_report`."""
    return _by_pair(_by_topic(tally, grades).values())


def agreement_report(tally: Tally, *, grades: Sequence[int], level: int) -> AgreementReport:
    """Compare the grades of all rows, by topic and by pair of assessors.

    It does not matter which of two assessors comes first in a row, nor how they are called.
    ValueError when a row has one assessor twice, or a grade is not on the scale.
    """
    by_topic = _by_topic(tally, grades)
    by_pair = _by_pair(by_topic.values())
    side = np.array([[int(grade >= level) for grade in grades]])
    sides = np.concatenate([1 - side, side])

    def compared(tables: Collection[Integers]) -> ComparedGrades:
        graded = _put_together(tables, grades)
        table = sides @ graded.confusion @ sides.T  # the counts of grades, added up by side
        several = graded.of_several_pairs
        return ComparedGrades(graded, agreement(table, (0, 1), of_several_pairs=several))

    return AgreementReport(
        compared(by_pair.values()),
        {topic: compared(by_topic[topic].values()) for topic in sorted(by_topic, key=natural_key)},
        {names: compared([by_pair[names]]) for names in sorted(by_pair)},
    )


def _by_topic(tally: Tally, grades: Sequence[int]) -> dict[str, _ByPair]:
    """Return the counts [grades x grades] of each pair on each topic, the first by name down."""
    pairs: dict[str, dict[AssessorPair, Counter[tuple[int, int]]]]
    pairs = defaultdict(lambda: defaultdict(Counter))
    for (topic, name_1, grade_1, name_2, grade_2), n in tally.items():
        if name_1 == name_2:
            raise ValueError(f"{name_1} is compared with themselves on topic {topic}.")
        (one, grade), (other, other_grade) = sorted([(name_1, grade_1), (name_2, grade_2)])
        pairs[topic][one, other][grade, other_grade] += n
    return {
        topic: {names: confusion(both, grades) for names, both in own.items()}
        for topic, own in pairs.items()
    }


def _by_pair(by_topic: Iterable[_ByPair]) -> _ByPair:
    """Return the counts of each pair, all topics together."""
    totals: _ByPair = {}
    for tables in by_topic:
        for names, table in tables.items():
            totals[names] = totals[names] + table if names in totals else table
    return totals


def _put_together(tables: Collection[Integers], grades: Sequence[int]) -> Agreement:
    """Compare the grades of one pair of assessors, or of several put together."""
    table = sum(tables, np.zeros((len(grades), len(grades)), dtype=np.int64))
    of_several_pairs = len(tables) > 1
    if of_several_pairs:  # the lower grade down
        table = np.triu(table) + np.tril(table, -1).T
    return agreement(table, grades, of_several_pairs=of_several_pairs)
