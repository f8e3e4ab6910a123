"""Agreement between assessors, two to a document, beyond what chance would give.

Between two people it is Cohen's kappa. Where the documents of several pairs of people are put together nobody is the first
assessor of all, so that nothing may depend on who is called so: chance is estimated from the grades of everybody, as Fleiss
(1971) does where different people judge different documents.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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
_ByPair = dict[AssessorPair, GradePairs]


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

    This is Scott's pi (1955), and Fleiss' kappa (1971) of two judgments a document: it stays the same when the two grades of any
    document change places. Siegel and Castellan (1988) and Manning, Raghavan and Schütze (2008, chapter 8) call it
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
    return _agreement(table, grades, cohen_kappa(table))


def agreement_of_pairs(pairs: GradePairs, grades: Sequence[int]) -> Agreement:
    """Compare the two grades of each document, whoever gave which; ValueError as in `confusion`."""
    ordered = [(min(pair), max(pair)) for pair in pairs]
    table = confusion(*_columns(ordered), grades)
    found = _agreement(table, grades, pooled_kappa(table))
    return replace(found, of_several_pairs=True)


def _agreement(
    table: Integers, grades: Sequence[int], kappa: float | None
) -> Agreement:
    n, raw, pooled = int(table.sum()), raw_agreement(table), pooled_kappa(table)
    reason = NO_DOCUMENT if not n else ONE_CATEGORY if kappa is None else ""
    return Agreement(n, tuple(grades), table, raw, kappa, pooled, reason)


def _columns(pairs: GradePairs) -> tuple[list[int], list[int]]:
    return [one for one, _ in pairs], [other for _, other in pairs]


def binary(grades: Sequence[int], level: int) -> list[int]:
    """Return 1 for each grade that counts as relevant, 0 for the others."""
    return [int(grade >= level) for grade in grades]


def agreement_report(
    rows: Iterable[TwiceJudged], *, grades: Sequence[int], level: int
) -> AgreementReport:
    """Compare the grades of all rows, by topic and by pair of assessors.

    The two of a pair are sorted by name, so it does not matter which comes first in a row. No figure depends on what people
    are called. ValueError when a row has one assessor twice, or a grade is not on the scale.
    """
    everything: _ByPair = defaultdict(list)
    by_topic: dict[str, _ByPair] = defaultdict(lambda: defaultdict(list))
    for topic, docno, name_1, grade_1, name_2, grade_2 in rows:
        if name_1 == name_2:
            raise ValueError(
                f"{name_1} is compared with themselves on topic {topic}, document {docno}."
            )
        (first, grade), (second, other) = sorted([(name_1, grade_1), (name_2, grade_2)])
        for group in (everything, by_topic[topic]):
            group[first, second].append((grade, other))
    return AgreementReport(
        _compare(everything, grades, level),
        {
            topic: _compare(by_topic[topic], grades, level)
            for topic in sorted(by_topic, key=natural_key)
        },
        {
            names: _compare({names: everything[names]}, grades, level)
            for names in sorted(everything)
        },
    )


def _compare(by_pair: _ByPair, grades: Sequence[int], level: int) -> Comparison:
    """Compare the grades of one pair of assessors, or of several put together."""
    pairs = [pair for each in by_pair.values() for pair in each]
    is_several = len(by_pair) > 1
    if is_several:
        graded = agreement_of_pairs(pairs, grades)
    else:
        graded = agreement(*_columns(pairs), grades)
    # No grade changes sides when it becomes relevant or not, so that the counts of grades are all there is to add up.
    side = np.array([binary(grades, level)])
    sides = np.concatenate([1 - side, side])
    table = sides @ graded.confusion @ sides.T
    kappa = pooled_kappa(table) if is_several else cohen_kappa(table)
    relevant = _agreement(table, (0, 1), kappa)
    return Comparison(graded, replace(relevant, of_several_pairs=is_several))
