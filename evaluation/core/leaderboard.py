"""Runs ordered by a measure."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from cleverdon.measures.family import Best
from evaluation.core.standing import Standing

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
    rank: int | None = None
    standings: Sequence[Standing | None] = ()


def ranked(
    entries: Iterable[BoardEntry[Subject]], column: int, best: Best = Best.HIGHEST
) -> list[BoardEntry[Subject]]:
    """Order entries by one column, best first, then by tag; values equal to four decimals tie.

    Where no value is the best, the highest comes first. Runs without a value come last, and have no
    rank.
    """
    sign = 1 if best is Best.LOWEST else -1
    board: list[BoardEntry[Subject]] = []
    every = sorted(entries, key=lambda entry: entry.tag)
    known = [entry for entry in every if has_value(entry, column)]
    ordered = sorted(known, key=lambda entry: sign * _rounded(entry, column))
    for rank, entry in enumerate(ordered, 1):
        is_tied = board and _rounded(board[-1], column) == _rounded(entry, column)
        board.append(entry._replace(rank=board[-1].rank if is_tied else rank))
    return [*board, *(entry for entry in every if not has_value(entry, column))]


def has_value(entry: BoardEntry[Any], column: int) -> bool:
    """Whether a run has a value: an aggregate over no topic is none."""
    return not math.isnan(entry.values[column])


def _rounded(entry: BoardEntry[Subject], column: int) -> float:
    return round(entry.values[column], 4)
