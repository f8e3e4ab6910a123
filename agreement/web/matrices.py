"""Grade against grade, and each two assessors, as tables."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from agreement.core.differences import row_shares
from agreement.web.figures import Links, Row
from campaigns.core.grades import Grade
from cleverdon.trec.arrays import Integers

IN_A_TABLE = 8  # people at most; of more, the pairs are drawn
# With a smaller share of known kappas a picture of the pairs would be empty.
FULL = 1 / 3


class PairMatrix(NamedTuple):
    """Each two assessors, by the names down and across: `cells` [people x people].

    None are two who judged nothing together.
    """

    people: list[str]
    cells: list[list[Row | None]]

    @property
    def is_small(self) -> bool:
        return len(self.people) <= IN_A_TABLE

    @property
    def is_drawn(self) -> bool:
        """Whether a picture says more than the list of pairs."""
        cells = [cell for _, row in self.rows for cell in row]
        known = [cell for cell in cells if cell and value_of(cell) is not None]
        return not self.is_small and len(known) >= FULL * len(cells)

    @property
    def has_too_few(self) -> bool:
        """Whether some have judged together, but too few documents."""
        return any(cell and not cell.figure.is_enough for row in self.cells for cell in row)

    @property
    def rows(self) -> list[tuple[str, list[Row | None]]]:
        """Everybody but the first, with the people before them."""
        named = enumerate(zip(self.people, self.cells, strict=True))
        return [(name, cells[:n]) for n, (name, cells) in named][1:]


def value_of(row: Row) -> float | None:
    return row.figure.value if row.figure.is_enough else None


def pair_matrix(rows: Mapping[tuple[str, str], Row], names: Mapping[str, str]) -> PairMatrix:
    """Return the matrix of all assessors who were compared, in the order of their names."""
    people = sorted({each for pair in rows for each in pair}, key=names.__getitem__)
    of_both = {frozenset(pair): each for pair, each in rows.items()}
    cells = [[of_both.get(frozenset({a, b})) for b in people] for a in people]
    return PairMatrix([names[each] for each in people], cells)


class GradeCell(NamedTuple):
    """A count of grade against grade, its share of the row and the address of its documents.

    It is far where documents have grades two or more apart.
    """

    n: int
    share: float | None
    is_same: bool
    is_far: bool
    href: str = ""

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


def grade_matrix(
    table: Integers, grades: Sequence[Grade], links: Links | None = None
) -> GradeMatrix:
    """Return counts [grades x grades] as cells with the margins."""
    shares, totals = row_shares(table), table.sum(axis=1).tolist()
    at = links or Links("", {}, are_shown=False)
    cells = [
        [
            GradeCell(
                n, shares[i][j], i == j, n > 0 and abs(i - j) > 1,
                at.to(grade=grades[i].value, other_grade=grades[j].value) if n else "",
            )
            for j, n in enumerate(row)
        ]
        for i, row in enumerate(table.tolist())
    ]  # fmt: skip
    rows = list(zip(grades, cells, totals, strict=True))
    return GradeMatrix(grades, rows, table.sum(axis=0).tolist(), int(table.sum()))
