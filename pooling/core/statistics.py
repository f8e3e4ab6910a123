"""Statistics of a pool: its size at every depth, the work of judging, what each run contributes."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np

from cleverdon.pools.entries import Entry, Standing
from cleverdon.trec.arrays import Floats, Integers

SECOND_PERCENT = 25  # of the documents, judged twice: proposed in forms


@dataclass(frozen=True, eq=False)
class PoolSizes:
    """Documents to judge at every depth.

    `by_topic[t, k - 1]` is the number for `topics[t]` at depth k, shape [topics, depths];
    `total[k - 1]` that for all topics together, shape [depths].
    """

    topics: tuple[str, ...]
    by_topic: Integers

    @property
    def total(self) -> Integers:
        sizes: Integers = self.by_topic.sum(axis=0)
        return sizes

    @property
    def max_depth(self) -> int:
        return int(self.by_topic.shape[1])

    def at(self, depth: int) -> int:
        """Return the size of the whole pool; ValueError for a depth that is not known."""
        if not 1 <= depth <= self.max_depth:
            raise ValueError(f"Sizes are known for depths 1 to {self.max_depth}, not {depth}.")
        return int(self.total[depth - 1])


@dataclass(frozen=True)
class Workload:
    """The work of judging a pool."""

    n_judgments: int
    hours: float
    hours_each: float | None  # None when there is nobody to judge

    @property
    def in_hours(self) -> str:
        return _tenths(self.hours)

    @property
    def each_in_hours(self) -> str:
        return "" if self.hours_each is None else _tenths(self.hours_each)


def _tenths(hours: float) -> str:
    """Write hours to a tenth, without calling a little nothing."""
    return "under 0.1" if 0 < hours < 0.05 else f"{hours:,.1f}"


def workload(
    n_documents: int, *, second_percent: int, seconds_per_judgment: float, n_assessors: int
) -> Workload:
    """Return the work for a pool of which `second_percent` is judged twice.

    >>> workload(1200, second_percent=25, seconds_per_judgment=30, n_assessors=5)
    Workload(n_judgments=1500, hours=12.5, hours_each=2.5)
    """
    n_judgments = n_documents + -(-n_documents * second_percent // 100)
    hours = n_judgments * seconds_per_judgment / 3600
    return Workload(n_judgments, hours, hours / n_assessors if n_assessors else None)


@dataclass(frozen=True)
class Schedule:
    """When judging would end."""

    ends: date
    deadline: date | None = None

    @property
    def spare(self) -> int | None:
        """Days left before the deadline, negative if it is missed; None without a deadline."""
        return (self.deadline - self.ends).days if self.deadline else None

    @property
    def late(self) -> int:
        """Days after the deadline; 0 if it is met."""
        return max(0, -(self.spare or 0))


def schedule(
    hours_each: float, hours_a_week: float, begins: date, deadline: date | None
) -> Schedule:
    """Return the schedule of assessors who judge `hours_a_week` until `hours_each` are done.

    >>> plan = schedule(12, 6, date(2026, 11, 23), date(2026, 12, 18))
    >>> plan.ends, plan.spare
    (datetime.date(2026, 12, 7), 11)
    """
    days = min(math.ceil(7 * hours_each / hours_a_week), (date.max - begins).days)
    return Schedule(begins + timedelta(days=days), deadline)


def most_documents(hours: float, *, second_percent: int, seconds_per_judgment: float) -> int:
    """Return how many documents can be judged in these hours.

    >>> most_documents(10, second_percent=25, seconds_per_judgment=30)
    960
    """
    return int(hours * 3600 / seconds_per_judgment / (1 + second_percent / 100))


class Contributed(NamedTuple):
    """How many new documents a run brought, alone (`n_unique`) and with each other run."""

    n: int
    n_unique: int
    shared: dict[int, int]


def contributed(pool: Iterable[Sequence[Entry]], runs: Collection[int]) -> dict[int, Contributed]:
    """Count, by run, the documents that each contributed (Zobel 1998); `pool` is by topic.

    They are those to be judged: what the pool or existing judgments had before, has the text of
    another or was not drawn, nobody contributes.
    """
    columns = {run: n for n, run in enumerate(sorted(runs))}
    n_unique = np.zeros(len(columns), dtype=np.int64)
    shared = np.zeros((len(columns), len(columns)), dtype=np.int64)
    for every in pool:
        entries = [entry for entry in every if entry.standing == Standing.NEW]
        has = np.zeros((len(entries), len(columns)), dtype=np.float32)
        for row, entry in enumerate(entries):
            has[row, [columns[run] for run in entry.runs]] = 1
        n_unique += has[has.sum(axis=1) == 1].sum(axis=0).astype(np.int64)
        shared += (has.T @ has).astype(np.int64)
    return {
        run: Contributed(
            int(shared[n, n]),
            int(n_unique[n]),
            {other: int(shared[n, m]) for other, m in columns.items() if m != n},
        )
        for run, n in columns.items()
    }


def runs_read(pool: Iterable[Sequence[Entry]], runs: Collection[int]) -> set[int]:
    """Return the runs that have any entry: a strategy may read some of those chosen to depth 0."""
    left = set(runs)
    for entry in (entry for entries in pool for entry in entries):
        left.difference_update(entry.runs)
        if not left:
            break
    return set(runs) - left


def percent_of_others(n: int, n_unique: int) -> int:
    """Return the percentage of a run's n documents that other runs have too; 100 only if all.

    >>> percent_of_others(1000, 1), percent_of_others(40, 10), percent_of_others(5, 0)
    (99, 75, 100)
    """
    return min(round(100 * (n - n_unique) / n), 99) if n_unique else 100


def shares(counts: Sequence[int], common: Integers | Sequence[Sequence[int]]) -> Floats:
    """Return the share of the smaller run's documents that the other has: [n_runs, n_runs].

    `common[i][j]` is the number that runs i and j have in common. Shares are from 0 to 1, 1 of a
    run with itself, and NaN where one of two runs has contributed nothing.

    >>> shares([40, 100, 0], [[40, 30, 0], [30, 100, 0], [0, 0, 0]]).tolist()
    [[1.0, 0.75, nan], [0.75, 1.0, nan], [nan, nan, nan]]
    """
    smaller = np.minimum.outer(counts, counts).astype(float)
    smaller[smaller == 0] = np.nan
    of_smaller: Floats = np.asarray(common, dtype=float) / smaller
    return of_smaller
