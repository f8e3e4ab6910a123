"""Grade against grade: how often one grade met another, over all documents, of each pair of assessors, and on each topic."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from accounts.models import labels
from agreement.core.differences import official_by_second, row_shares
from agreement.core.statistics import TwiceJudged, confusion_by_pair
from campaigns.core.grades import Scale
from campaigns.core.ordering import natural_key
from pictures.cells import shades
from pictures.parts import part_bar
from trec.arrays import Integers

# A topic or a pair of assessors, and counts [grades x grades].
Named = tuple[str, Integers]


class Cell(NamedTuple):
    """A count of grade against grade; it is far where documents have grades two or more apart."""

    n: int
    percent: int | None
    shade: str
    is_far: bool


def grade_matrix(table: Integers, scale: Scale, *, whole: bool = False) -> dict[str, Any]:
    """Return counts [grades x grades] as cells shaded by their share of the row, with the margins; a `whole` one has bars of the rows."""
    shares = row_shares(table)
    totals = table.sum(axis=1).tolist()
    most = max(totals, default=0)
    cells = [
        [
            Cell(n, None if share is None else round(100 * share), shade, n > 0 and abs(i - j) > 1)
            for j, (n, share, shade) in enumerate(
                zip(row, shares[i], shades(shares[i], low=0, high=1), strict=True)
            )
        ]
        for i, row in enumerate(table.tolist())
    ]
    bars = [
        part_bar(total, most=most, sentence=f"{total:,} in all") if whole else None
        for total in totals
    ]
    return {
        "grades": scale.grades,
        "rows": list(zip(scale.grades, cells, totals, bars, strict=True)),
        "columns": table.sum(axis=0).tolist(),
        "n": int(table.sum()),
    }


def of_all(rows: Sequence[TwiceJudged], scale: Scale) -> dict[str, Any]:
    """Return the matrix of all documents, the official grade by the second one."""
    return grade_matrix(official_by_second(rows, _values(scale)), scale, whole=True)


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
