"""How far the documents of a shared topic are, and what another number of judgments would mean for them."""

from collections.abc import Mapping
from typing import NamedTuple


class Standing(NamedTuple):
    """How many judgments a document wants and has, how many people could not judge it, and how many of the group have not had it."""

    n_wanted: int
    n_judged: int
    n_impossible: int
    n_free: int

    @property
    def is_settled(self) -> bool:
        return self.n_judged >= self.n_wanted or self.n_impossible >= self.n_wanted

    @property
    def n_lacking(self) -> int:
        """Return how many judgments are still to be given."""
        return 0 if self.is_settled else self.n_wanted - self.n_judged

    @property
    def is_stuck(self) -> bool:
        """Tell whether it lacks more judgments than there are people left who could give one."""
        return self.n_free < self.n_lacking

    def at(self, n_wanted: int) -> "Standing":
        """Return how it would stand if so many were wanted; it keeps those that it has."""
        return self._replace(n_wanted=max(n_wanted, self.n_judged))


class Prospect(NamedTuple):
    """How many documents are settled with and without a grade, and how many are not; what these lack, and how many cannot get it.

    Of those `n_stuck` that cannot get their judgments everybody in the group has had `n_had_by_all`.
    """

    n_wanted: int = 0
    n_graded: int = 0
    n_impossible: int = 0
    n_open: int = 0
    n_lacking: int = 0
    n_stuck: int = 0
    n_had_by_all: int = 0
    n_within_reach: int = 0  # judgments that the documents lack which can get theirs

    @property
    def n_settled(self) -> int:
        return self.n_graded + self.n_impossible

    @property
    def n_documents(self) -> int:
        return self.n_settled + self.n_open


def prospect(standings: Mapping[Standing, int], n_wanted: int | None = None) -> Prospect:
    """Add up how many documents stand how; with a number, as if so many judgments were wanted.

    >>> found = {Standing(2, 2, 0, 1): 5, Standing(2, 1, 1, 1): 3, Standing(2, 0, 1, 2): 1}
    >>> prospect(found).n_open, prospect(found).n_lacking
    (4, 5)
    >>> prospect(found, 3).n_open, prospect(found, 3).n_stuck
    (9, 4)
    """
    rows = [(each if n_wanted is None else each.at(n_wanted), n) for each, n in standings.items()]
    stuck = [(each, n) for each, n in rows if each.is_stuck]
    return Prospect(
        n_wanted or 0,
        sum(n for each, n in rows if each.is_settled and each.n_judged),
        sum(n for each, n in rows if each.is_settled and not each.n_judged),
        sum(n for each, n in rows if not each.is_settled),
        sum(n * each.n_lacking for each, n in rows),
        sum(n for _, n in stuck),
        sum(n for each, n in stuck if not each.n_free),
        sum(n * each.n_lacking for each, n in rows if not each.is_stuck),
    )
