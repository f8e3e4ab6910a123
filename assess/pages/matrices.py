"""Grade against grade: how often one grade met another, over all documents, of each pair of assessors, and on each topic."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from assess.core.agreement import AgreementReport, TwiceJudged
from assess.core.differences import official_by_second, row_shares
from campaigns.core.grades import Scale
from campaigns.core.ordering import natural_key
from pictures.cells import shades
from pictures.parts import part_bar
from trec.arrays import Integers


class Cell(NamedTuple):
    """A count of grade against grade; it is far where documents have grades two or more apart."""

    n: int
    percent: int | None
    shade: str
    is_far: bool


def grade_matrix(table: Integers, scale: Scale) -> dict[str, Any]:
    """Return counts [grades x grades] as cells shaded by their share of the row, with the margins."""
    shares = row_shares(table)
    totals = table.sum(axis=1).tolist()
    most = max(totals, default=0)
    cells = [
        [
            Cell(n, None if share is None else round(100 * share), shade, n > 0 and abs(i - j) > 1)
            for j, (n, share, shade) in enumerate(zip(row, shares[i], shades(shares[i], low=0, high=1), strict=True))
        ]
        for i, row in enumerate(table.tolist())
    ]  # fmt: skip
    return {
        "grades": scale.grades,
        "rows": [
            (grade, its, total, part_bar(total, most=most, sentence=f"{total:,} in all"))
            for grade, its, total in zip(scale.grades, cells, totals, strict=True)
        ],
        "columns": table.sum(axis=0).tolist(),
        "n": int(table.sum()),
    }  # fmt: skip


def of_all(rows: Sequence[TwiceJudged], scale: Scale) -> dict[str, Any]:
    """Return the matrix of all documents, the official grade by the second one."""
    return grade_matrix(official_by_second(rows, _values(scale)), scale)


def of_topics(
    rows: Sequence[TwiceJudged], scale: Scale
) -> list[tuple[str, dict[str, Any]]]:
    """Return each topic with its matrix, the official grade by the second one."""
    by_topic: dict[str, list[TwiceJudged]] = defaultdict(list)
    for row in rows:
        by_topic[row[0]].append(row)
    return [
        (number, of_all(by_topic[number], scale))
        for number in sorted(by_topic, key=natural_key)
    ]


def of_pairs(
    report: AgreementReport, names: Mapping[str, str], scale: Scale
) -> list[tuple[str, dict[str, Any]]]:
    """Return each pair with its matrix, the one who is named first by the other."""
    pairs = [
        (" and ".join(names[name] for name in pair), grade_matrix(each.graded.confusion, scale))
        for pair, each in report.by_pair.items()
    ]  # fmt: skip
    return sorted(pairs, key=lambda pair: natural_key(pair[0]))


def _values(scale: Scale) -> list[int]:
    return [grade.value for grade in scale.grades]
