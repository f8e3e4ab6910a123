"""Two leaderboards side by side: how each run's rank and score changed."""

from collections.abc import Sequence
from typing import Generic, NamedTuple

import numpy as np

from evaluation.core.leaderboard import BoardEntry, Subject


class Moved(NamedTuple, Generic[Subject]):
    """A run's rank and its score before and after, None where it is missing."""

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
) -> list[Moved[Subject]]:
    """Match the runs of two boards, in the order of the later one; those that are missing there come last.

    `columns` are the measure's in each of them.
    """
    earlier = {entry.subject: entry for entry in before}
    later = {entry.subject for entry in after}
    gone = [entry for entry in before if entry.subject not in later]
    rows = [_moved(earlier.get(entry.subject), entry, columns) for entry in after]
    return rows + [_moved(entry, None, columns) for entry in gone]


def _moved(
    before: BoardEntry[Subject] | None,
    after: BoardEntry[Subject] | None,
    columns: tuple[int, int],
) -> Moved[Subject]:
    entry = after or before
    if entry is None:
        raise ValueError("A run is on one of the boards at least.")
    return Moved(
        entry.tag,
        entry.subject,
        before.rank if before else None,
        after.rank if after else None,
        before.values[columns[0]] if before else None,
        after.values[columns[1]] if after else None,
    )


def tau(rows: Sequence[Moved[Subject]]) -> float | None:
    """Return Kendall's tau-b between the ranks before and after of the runs on both boards; None where it is undefined.

    Kendall 1945, "The treatment of ties in ranking problems".
    """
    both = [(row.before_rank, row.after_rank) for row in rows if row.rose is not None]
    ranks = np.array(both, dtype=np.int64).reshape(-1, 2)
    first, second = (np.sign(column[:, None] - column) for column in ranks.T)
    pairs = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum() / pairs) if pairs else None
