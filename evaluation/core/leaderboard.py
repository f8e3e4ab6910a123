"""Runs ordered by a measure."""

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from evaluation.core.standing import Standing
from measures.family import Best

Subject = TypeVar("Subject")


class BoardEntry(NamedTuple, Generic[Subject]):
    """A run on a leaderboard: `values` are its aggregates, one a measure, over `n_topics` topics.

    `n_missing` counts the judged topics that it lacks; `score` is the id of its stored score;
    `standings` are one a measure, as soon as they are computed.
    """

    tag: str
    subject: Subject
    values: Sequence[float]
    n_topics: int
    n_missing: int
    score: int | None = None
    rank: int = 0
    standings: Sequence[Standing | None] = ()


def ranked(
    entries: Iterable[BoardEntry[Subject]], column: int, best: Best = Best.HIGHEST
) -> list[BoardEntry[Subject]]:
    """Order entries by one column, best first, then by tag; values equal to four decimals tie.

    Where no value is the best, the highest comes first.
    """
    sign = 1 if best is Best.LOWEST else -1
    board: list[BoardEntry[Subject]] = []
    ordered = sorted(entries, key=lambda entry: (sign * _rounded(entry, column), entry.tag))
    for rank, entry in enumerate(ordered, 1):
        is_tied = board and _rounded(board[-1], column) == _rounded(entry, column)
        board.append(entry._replace(rank=board[-1].rank if is_tied else rank))
    return board


def _rounded(entry: BoardEntry[Subject], column: int) -> float:
    return round(entry.values[column], 4)
