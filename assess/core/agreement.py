"""Agreement between two assessors, beyond what chance would give."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from trec.arrays import Integers

NO_DOCUMENT = "No document was judged by both assessors."
ONE_CATEGORY = "Both assessors put every document in one and the same category: agreement beyond chance is undefined."

# Topic and docno, then the name and the grade of each of two assessors.
TwiceJudged = tuple[str, str, str, int, str, int]
AssessorPair = tuple[str, str]  # names, in order
GradePairs = list[tuple[int, int]]  # the two grades of each document


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement on n documents. Undefined values are None, never 1 or 0, and `reason` says why.

    `confusion[i, j]` counts documents with `grades[i]` from the first assessor and `grades[j]` from the second.
    """

    n: int
    grades: tuple[int, ...]
    confusion: Integers
    raw: float | None
    kappa: float | None
    pooled_kappa: float | None
    reason: str

    @property
    def rows(self) -> list[tuple[int, list[int]]]:
        """The confusion matrix by rows: a grade of the first assessor, and the counts of the second's grades."""
        return list(zip(self.grades, self.confusion.tolist(), strict=True))


class Comparison(NamedTuple):
    """Agreement on the grades as given, and on relevant or not."""

    graded: Agreement
    binary: Agreement


class AgreementReport(NamedTuple):
    """Agreement over all documents, by topic, and by pair of assessors."""

    overall: Comparison
    by_topic: Mapping[str, Comparison]
    by_pair: Mapping[AssessorPair, Comparison]


def confusion(
    first: Sequence[int], second: Sequence[int], grades: Sequence[int]
) -> Integers:
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
    n = int(table.sum())
    return int(np.trace(table)) / n if n else None


def cohen_kappa(table: Integers) -> float | None:
    """Return (Po - Pe) / (1 - Pe), Pe = Σ p(first gives i) p(second gives i) (Cohen 1960); None when undefined."""
    n, rows, columns = int(table.sum()), table.sum(axis=1), table.sum(axis=0)
    return _beyond_chance(n * int(np.trace(table)), int(rows @ columns), n * n)


def pooled_kappa(table: Integers) -> float | None:
    """Return (Po - Pe) / (1 - Pe), Pe = Σ p(either gives i)² from pooled marginals; None when undefined.

    This is Scott's pi (1955). Siegel and Castellan (1988) and Manning, Raghavan and Schütze (2008, chapter 8) call it
    kappa, and readers of the field look for it by that name.
    """
    n, both = int(table.sum()), table.sum(axis=1) + table.sum(axis=0)
    return _beyond_chance(4 * n * int(np.trace(table)), int(both @ both), 4 * n * n)


def _beyond_chance(observed: int, expected: int, whole: int) -> float | None:
    """Return (observed - expected) / (whole - expected), None where that is 0 / 0.

    All three are integers, so that the quotient is correctly rounded and an expected agreement of 1 is recognized exactly.
    """
    return None if expected == whole else (observed - expected) / (whole - expected)


def agreement(
    first: Sequence[int], second: Sequence[int], grades: Sequence[int]
) -> Agreement:
    """Compare two assessors' grades of the same documents; ValueError as in `confusion`."""
    table = confusion(first, second, grades)
    n, kappa = int(table.sum()), cohen_kappa(table)
    reason = NO_DOCUMENT if not n else ONE_CATEGORY if kappa is None else ""
    raw, pooled = raw_agreement(table), pooled_kappa(table)
    return Agreement(n, tuple(grades), table, raw, kappa, pooled, reason)


def binary(grades: Sequence[int], level: int) -> list[int]:
    """Return 1 for each grade that counts as relevant, 0 for the others."""
    return [int(grade >= level) for grade in grades]


def agreement_report(
    rows: Iterable[TwiceJudged], *, grades: Sequence[int], level: int
) -> AgreementReport:
    """Compare the grades of all rows, by topic and by pair of assessors.

    Assessors are sorted by name, so it does not matter which of the two comes first in a row.
    ValueError when a row has one assessor twice, or a grade is not on the scale.
    """
    overall: GradePairs = []
    by_topic, by_pair = (
        defaultdict[str, GradePairs](list),
        defaultdict[AssessorPair, GradePairs](list),
    )
    for topic, docno, name_1, grade_1, name_2, grade_2 in rows:
        if name_1 == name_2:
            raise ValueError(
                f"{name_1} is compared with themselves on topic {topic}, document {docno}."
            )
        (first, grade), (second, other) = sorted([(name_1, grade_1), (name_2, grade_2)])
        for pairs in (overall, by_topic[topic], by_pair[first, second]):
            pairs.append((grade, other))
    return AgreementReport(
        _compare(overall, grades, level),
        {t: _compare(by_topic[t], grades, level) for t in sorted(by_topic)},
        {names: _compare(by_pair[names], grades, level) for names in sorted(by_pair)},
    )


def _compare(pairs: GradePairs, grades: Sequence[int], level: int) -> Comparison:
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    relevant = agreement(binary(first, level), binary(second, level), (0, 1))
    return Comparison(agreement(first, second, grades), relevant)
