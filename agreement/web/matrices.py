"""Grade against grade: over all documents, for each pair of assessors, and on each topic."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from accounts.models import labels
from agreement.core.differences import official_by_second, row_shares
from agreement.core.statistics import TwiceJudged, confusion_by_pair
from campaigns.core.grades import Grade, Scale
from campaigns.core.ordering import natural_key
from trec.arrays import Integers

# A topic or a pair of assessors, and counts [grades x grades].
Named = tuple[str, Integers]


class GradeCell(NamedTuple):
    """A count of grade against grade, and its share of the row.

    It is far where documents have grades two or more apart.
    """

    n: int
    share: float | None
    is_same: bool
    is_far: bool

    @property
    def percent(self) -> int | None:
        return None if self.share is None else round(100 * self.share)


class GradeMatrix(NamedTuple):
    """Cells [grades x grades]; each row with its grade and its total."""

    grades: Sequence[Grade]
    rows: list[tuple[Grade, list[GradeCell], int]]
    columns: list[int]
    n: int

    @property
    def most(self) -> int:
        return max((total for *_, total in self.rows), default=0)


def grade_matrix(table: Integers, scale: Scale) -> GradeMatrix:
    """Return counts [grades x grades] as cells with the margins."""
    shares, totals = row_shares(table), table.sum(axis=1).tolist()
    cells = [
        [
            GradeCell(n, share, i == j, n > 0 and abs(i - j) > 1)
            for j, (n, share) in enumerate(zip(row, shares[i], strict=True))
        ]
        for i, row in enumerate(table.tolist())
    ]
    rows = list(zip(scale.grades, cells, totals, strict=True))
    return GradeMatrix(scale.grades, rows, table.sum(axis=0).tolist(), int(table.sum()))


def of_all(rows: Sequence[TwiceJudged], scale: Scale) -> GradeMatrix:
    """Return the matrix of all documents, the official grade by the second one."""
    return grade_matrix(official_by_second(rows, _values(scale)), scale)


def of_topics(rows: Sequence[TwiceJudged], scale: Scale) -> list[Named]:
    """Return the counts of each topic, the official grade by the second one."""
    by_topic: dict[str, list[TwiceJudged]] = defaultdict(list)
    for row in rows:
        by_topic[row[0]].append(row)
    return [
        (number, official_by_second(by_topic[number], _values(scale)))
        for number in sorted(by_topic, key=natural_key)
    ]


def of_pairs(rows: Sequence[TwiceJudged], scale: Scale) -> list[Named]:
    """Return the counts of each pair, the one who is named first by the other."""
    by_pair = confusion_by_pair(rows, _values(scale))
    names = labels(name for pair in by_pair for name in pair)
    pairs = [(" and ".join(names[name] for name in pair), table) for pair, table in by_pair.items()]
    return sorted(pairs, key=lambda pair: natural_key(pair[0]))


def _values(scale: Scale) -> list[int]:
    return [grade.value for grade in scale.grades]
