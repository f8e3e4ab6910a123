"""Agreement between assessors, two to a document, beyond what chance would give.

Between two people it is Cohen's kappa. Where the documents of several pairs of people are put together nobody is the first
assessor of all, so that nothing may depend on who is called so: chance is estimated from the grades of everybody, as Fleiss
(1971) does where different people judge different documents.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

import numpy as np

from campaigns.core.ordering import natural_key
from trec.arrays import Integers

NO_DOCUMENT = "No document was judged by both assessors."
ONE_CATEGORY = "The assessors put every document in one and the same category: agreement beyond chance is undefined."

# Topic and docno, then the name and the grade of each of two assessors.
TwiceJudged = tuple[str, str, str, int, str, int]
AssessorPair = tuple[str, str]  # names, in order
GradePairs = list[tuple[int, int]]  # the two grades of each document
_ByPair = dict[AssessorPair, Integers]


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement on n documents. Undefined values are None, never 1 or 0, and `reason` says why.

    `confusion[i, j]` counts documents with `grades[i]` from the first assessor and `grades[j]` from the second; of several pairs
    of assessors, documents with `grades[i]` for the lower grade and `grades[j]` for the higher, and `kappa` is `pooled_kappa`.
    """

    n: int
    grades: tuple[int, ...]
    confusion: Integers
    raw: float | None
    kappa: float | None
    pooled_kappa: float | None
    reason: str
    of_several_pairs: bool = False


class Comparison(NamedTuple):
    """Agreement on the grades as given, and on relevant or not."""

    graded: Agreement
    binary: Agreement


class AgreementReport(NamedTuple):
    """Agreement over all documents, by topic, and by pair of assessors."""

    overall: Comparison
    by_topic: Mapping[str, Comparison]
    by_pair: Mapping[AssessorPair, Comparison]


def confusion(first: Sequence[int], second: Sequence[int], grades: Sequence[int]) -> Integers:
    """Return the confusion matrix [grades x grades], first assessor by second.

    It has a row and a column for every grade of the scale. ValueError when a grade is not on the scale, or the two
    sequences differ in length.
    """
    position = {grade: i for i, grade in enumerate(grades)}
    unknown = {*first, *second} - set(position)
    if unknown:
        raise ValueError(
            f"{min(unknown)} is not a grade of the scale {', '.join(map(str, grades))}."
        )
    table = np.zeros((len(grades), len(grades)), dtype=np.int64)
    for one, other in zip(first, second, strict=True):
        table[position[one], position[other]] += 1
    return table


def raw_agreement(table: Integers) -> float | None:
    """Return the share of documents with equal grades; None without a document."""
    n, same, _, _ = _counted(table)
    return same / n if n else None


def cohen_kappa(table: Integers) -> float | None:
    """Return (Po - Pe) / (1 - Pe), Pe = Σ p(first gives i) p(second gives i) (Cohen 1960); None when undefined."""
    n, same, first, second = _counted(table)
    return _beyond_chance(n * same, sum(map(mul, first, second)), n * n)


def pooled_kappa(table: Integers) -> float | None:
    """Return (Po - Pe) / (1 - Pe), Pe = Σ p(either gives i)² from pooled marginals; None when undefined.

    This is Scott's pi (1955), and Fleiss' kappa (1971) of two judgments a document: it stays the same when the two grades of any
    document change places. Siegel and Castellan (1988) and Manning, Raghavan and Schütze (2008, chapter 8) call it
    kappa, and readers of the field look for it by that name.
    """
    n, same, first, second = _counted(table)
    both = sum((one + other) ** 2 for one, other in zip(first, second, strict=True))
    return _beyond_chance(4 * n * same, both, 4 * n * n)


def _counted(table: Integers) -> tuple[int, int, list[int], list[int]]:
    """Return the documents, those with equal grades, and how often the first and the second assessor gave each grade.

    Of so few numbers, Python's own are faster than arrays, and as large as they have to be.
    """
    rows = table.tolist()
    first, second = ([sum(row) for row in rows], [sum(row) for row in zip(*rows, strict=True)])
    return sum(first), sum(row[n] for n, row in enumerate(rows)), first, second


def _beyond_chance(observed: int, expected: int, whole: int) -> float | None:
    """Return (observed - expected) / (whole - expected), None where that is 0 / 0.

    All three are integers, so that the quotient is correctly rounded and an expected agreement of 1 is recognized exactly.
    """
    return None if expected == whole else (observed - expected) / (whole - expected)


def agreement(first: Sequence[int], second: Sequence[int], grades: Sequence[int]) -> Agreement:
    """Compare two assessors' grades of the same documents; ValueError as in `confusion`."""
    return _agreement(confusion(first, second, grades), grades)


def _agreement(
    table: Integers, grades: Sequence[int], *, of_several_pairs: bool = False
) -> Agreement:
    n, raw, pooled = int(table.sum()), raw_agreement(table), pooled_kappa(table)
    kappa = pooled if of_several_pairs else cohen_kappa(table)
    reason = NO_DOCUMENT if not n else ONE_CATEGORY if kappa is None else ""
    return Agreement(n, tuple(grades), table, raw, kappa, pooled, reason, of_several_pairs)


def binary(grades: Sequence[int], level: int) -> list[int]:
    """Return 1 for each grade that counts as relevant, 0 for the others."""
    return [int(grade >= level) for grade in grades]


def overall_agreement(rows: Iterable[TwiceJudged], grades: Sequence[int]) -> Agreement:
    """Compare the grades of all rows; ValueError as in `agreement_report`."""
    return _put_together(confusion_by_pair(rows, grades).values(), grades)


def confusion_by_pair(
    rows: Iterable[TwiceJudged], grades: Sequence[int]
) -> dict[AssessorPair, Integers]:
    """Return the counts of each pair of assessors, the one whose name is first down; ValueError as in `agreement_report`."""
    return _by_pair(_by_topic(rows, grades).values())


def agreement_report(
    rows: Iterable[TwiceJudged], *, grades: Sequence[int], level: int
) -> AgreementReport:
    """Compare the grades of all rows, by topic and by pair of assessors.

    The two of a pair are sorted by name, so it does not matter which comes first in a row. No figure depends on what people
    are called. ValueError when a row has one assessor twice, or a grade is not on the scale.
    """
    by_topic = _by_topic(rows, grades)
    by_pair = _by_pair(by_topic.values())
    side = np.array([binary(grades, level)])
    sides = np.concatenate([1 - side, side])

    def compared(tables: Collection[Integers]) -> Comparison:
        graded = _put_together(tables, grades)
        # No grade changes sides when it becomes relevant or not, so that the counts of grades are all there is to add up.
        table = sides @ graded.confusion @ sides.T
        several = graded.of_several_pairs
        return Comparison(graded, _agreement(table, (0, 1), of_several_pairs=several))

    return AgreementReport(
        compared(by_pair.values()),
        {topic: compared(by_topic[topic].values()) for topic in sorted(by_topic, key=natural_key)},
        {names: compared([by_pair[names]]) for names in sorted(by_pair)},
    )


def _by_topic(rows: Iterable[TwiceJudged], grades: Sequence[int]) -> dict[str, _ByPair]:
    """Return the counts [grades x grades] of each pair on each topic, the one whose name is first down."""
    found: dict[str, dict[AssessorPair, GradePairs]] = defaultdict(lambda: defaultdict(list))
    for topic, docno, name_1, grade_1, name_2, grade_2 in rows:
        if name_1 == name_2:
            raise ValueError(
                f"{name_1} is compared with themselves on topic {topic}, document {docno}."
            )
        if name_1 < name_2:
            found[topic][name_1, name_2].append((grade_1, grade_2))
        else:
            found[topic][name_2, name_1].append((grade_2, grade_1))
    return {
        topic: {names: confusion(*_columns(pairs), grades) for names, pairs in its.items()}
        for topic, its in found.items()
    }


def _columns(pairs: GradePairs) -> tuple[list[int], list[int]]:
    return [one for one, _ in pairs], [other for _, other in pairs]


def _by_pair(by_topic: Iterable[_ByPair]) -> _ByPair:
    """Return the counts of each pair, all topics together."""
    found: _ByPair = {}
    for its in by_topic:
        for names, table in its.items():
            found[names] = found[names] + table if names in found else table
    return found


def _put_together(tables: Collection[Integers], grades: Sequence[int]) -> Agreement:
    """Compare the grades of one pair of assessors, or of several put together."""
    table = sum(tables, np.zeros((len(grades), len(grades)), dtype=np.int64))
    of_several_pairs = len(tables) > 1
    if of_several_pairs:  # the lower grade down, whoever gave it
        table = np.triu(table) + np.tril(table, -1).T
    return _agreement(table, grades, of_several_pairs=of_several_pairs)
