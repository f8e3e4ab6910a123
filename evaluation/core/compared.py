"""Two leaderboards side by side: how each run's rank and score changed."""

from collections.abc import Container, Sequence
from typing import Generic, NamedTuple

import numpy as np

from cleverdon.measures.family import Best
from cleverdon.significance.correlations import tau_b
from evaluation.core.leaderboard import BoardEntry, Subject, has_value, ranked


class Moved(NamedTuple, Generic[Subject]):
    """A run's scores before and after, and its ranks among the runs on both boards, or None."""

    tag: str
    subject: Subject
    before_rank: int | None
    after_rank: int | None
    before: float | None
    after: float | None

    @property
    def rose(self) -> int | None:
        """How many ranks it rose: negative when it fell."""
        if self.before_rank is None or self.after_rank is None:
            return None
        return self.before_rank - self.after_rank

    @property
    def change(self) -> float | None:
        """By how much its score rose."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


def compared(
    before: Sequence[BoardEntry[Subject]],
    after: Sequence[BoardEntry[Subject]],
    columns: tuple[int, int],
    best: Best = Best.HIGHEST,
) -> list[Moved[Subject]]:
    """Match the runs of two boards in the order of the later one; those missing there come last.

    `columns` are the measure's on each board. Ranks are among the runs with a value on both boards,
    None for the others, so that a run does not rise because one above it is gone.
    """
    earlier, later = ({entry.subject: entry for entry in board} for board in (before, after))
    known = (
        {entry.subject for entry in board if has_value(entry, column)}
        for board, column in zip((before, after), columns, strict=True)
    )
    both = set.intersection(*known)
    before_ranks = _ranks(before, both, columns[0], best)
    after_ranks = _ranks(after, both, columns[1], best)
    rows = []
    for subject in [*later, *(each for each in earlier if each not in later)]:
        old, new = earlier.get(subject), later.get(subject)
        rows.append(
            Moved(
                (new or earlier[subject]).tag,
                subject,
                before_ranks.get(subject),
                after_ranks.get(subject),
                old.values[columns[0]] if old else None,
                new.values[columns[1]] if new else None,
            )
        )
    return rows


def _ranks(
    board: Sequence[BoardEntry[Subject]], chosen: Container[Subject], column: int, best: Best
) -> dict[Subject, int | None]:
    """Return the ranks of the chosen runs of a board among each other."""
    entries = [entry for entry in board if entry.subject in chosen]
    return {entry.subject: entry.rank for entry in ranked(entries, column, best)}


def tau(rows: Sequence[Moved[Subject]]) -> float | None:
    """Return Kendall's tau-b of the ranks before and after; None where it is undefined."""
    both = [(row.before_rank, row.after_rank) for row in rows if row.rose is not None]
    return tau_b(*np.array(both, dtype=np.float64).reshape(-1, 2).T)
