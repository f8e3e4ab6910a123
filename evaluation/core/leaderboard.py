"""Runs ordered by a measure."""

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

Subject = TypeVar("Subject")


class Row(NamedTuple, Generic[Subject]):
    """A run's tag, the run, its aggregates and the topics they are of, topics it misses, its score's id where it has one."""

    tag: str
    subject: Subject
    values: Sequence[float]
    n_topics: int
    n_missing: int
    score: int | None = None


class Line(NamedTuple, Generic[Subject]):
    """A row at its rank."""

    rank: int
    row: Row[Subject]


def lines(rows: Iterable[Row[Subject]], column: int) -> list[Line[Subject]]:
    """Order rows by one column, best first, then by tag; figures equal as shown, to four decimals, share a rank."""
    ordered = sorted(rows, key=lambda row: (-_shown(row, column), row.tag))
    found: list[Line[Subject]] = []
    for place, row in enumerate(ordered, 1):
        tied = found and _shown(found[-1].row, column) == _shown(row, column)
        found.append(Line(found[-1].rank if tied else place, row))
    return found


def _shown(row: Row[Subject], column: int) -> float:
    return round(row.values[column], 4)
