"""Agreement between two assessors, beyond what chance would give."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from trec.arrays import Integers

NO_DOCUMENT = "No document was judged by both assessors."
ONE_CATEGORY = "Both assessors put every document in one and the same category: agreement beyond chance is undefined."


class TwiceJudged(NamedTuple):
    """A document judged by two assessors for a topic."""

    topic: str
    docno: str
    assessor_1: str
    grade_1: int
    assessor_2: str
    grade_2: int


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


@dataclass(frozen=True)
class AgreementReport:
    """Agreement over all documents, by topic, and by pair of assessors (names in order)."""

    overall: Comparison
    by_topic: Mapping[str, Comparison]
    by_pair: Mapping[tuple[str, str], Comparison]


def confusion(
    first: Sequence[int], second: Sequence[int], grades: Sequence[int]
) -> Integers:
    """Return the confusion matrix [grades x grades] of the same documents, first assessor by second.

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
    """Divide integers: the quotient is correctly rounded, and an expected agreement of 1 is recognized exactly."""
    return None if expected == whole else (observed - expected) / (whole - expected)


def agreement(
    first: Sequence[int], second: Sequence[int], grades: Sequence[int]
) -> Agreement:
    """Compare two assessors' grades of the same documents; ValueError as in `confusion`."""
    table = confusion(first, second, grades)
    n, kappa = int(table.sum()), cohen_kappa(table)
    reason = NO_DOCUMENT if not n else ONE_CATEGORY if kappa is None else ""
    return Agreement(
        n,
        tuple(grades),
        table,
        raw_agreement(table),
        kappa,
        pooled_kappa(table),
        reason,
    )


def binary(grades: Sequence[int], level: int) -> list[int]:
    """Return 1 for each grade that counts as relevant, 0 for the others."""
    return [int(grade >= level) for grade in grades]


def agreement_report(
    rows: Iterable[tuple[str, str, str, int, str, int]],
    *,
    grades: Sequence[int],
    level: int,
) -> AgreementReport:
    """Compare over all rows (topic, docno, assessor, grade, assessor, grade), by topic and by pair of assessors.

    Assessors are put in order of their names, so which of the two a row names first changes nothing.
    ValueError when a row has one assessor twice, or a grade is not on the scale.
    """
    ordered = [_in_order(TwiceJudged(*row)) for row in rows]
    by_topic, by_pair = defaultdict(list), defaultdict(list)
    for row in ordered:
        by_topic[row.topic].append(row)
        by_pair[row.assessor_1, row.assessor_2].append(row)
    return AgreementReport(
        _compare(ordered, grades, level),
        {t: _compare(by_topic[t], grades, level) for t in sorted(by_topic)},
        {pair: _compare(by_pair[pair], grades, level) for pair in sorted(by_pair)},
    )


def _compare(
    rows: Sequence[TwiceJudged], grades: Sequence[int], level: int
) -> Comparison:
    first, second = [row.grade_1 for row in rows], [row.grade_2 for row in rows]
    relevant = agreement(binary(first, level), binary(second, level), (0, 1))
    return Comparison(agreement(first, second, grades), relevant)


def _in_order(row: TwiceJudged) -> TwiceJudged:
    if row.assessor_1 == row.assessor_2:
        raise ValueError(
            f"{row.assessor_1} is compared with themselves on topic {row.topic}, document {row.docno}."
        )
    if row.assessor_1 < row.assessor_2:
        return row
    return TwiceJudged(
        row.topic, row.docno, row.assessor_2, row.grade_2, row.assessor_1, row.grade_1
    )
