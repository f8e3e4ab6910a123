"""How far shared documents are, and what another number of judgments would mean for them."""

from collections.abc import Mapping
from typing import NamedTuple

from assess.core import rules


class Tally(NamedTuple):
    """How far a document is: judgments wanted and given, people who could not judge it or are free.

    `n_free` counts those of the group who have not had it.
    """

    n_wanted: int
    n_judged: int
    n_impossible: int
    n_free: int

    @property
    def is_settled(self) -> bool:
        return rules.is_settled(self.n_wanted, self.n_judged, self.n_impossible)

    @property
    def n_lacking(self) -> int:
        return 0 if self.is_settled else self.n_wanted - self.n_judged

    @property
    def is_stuck(self) -> bool:
        """Whether it lacks more judgments than there are people left to give one."""
        return self.n_free < self.n_lacking

    def at(self, n_wanted: int) -> "Tally":
        """Return it as it would be with another number wanted; it keeps the judgments it has."""
        return self._replace(n_wanted=max(n_wanted, self.n_judged))


class Prospect(NamedTuple):
    """How many documents are settled, with and without a grade, or open, and what these lack.

    `n_stuck` cannot get their judgments; `n_had_by_all` of them everybody in the group has had.
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

    @property
    def share(self) -> float:
        return self.n_settled / (self.n_documents or 1)


def prospect(tallies: Mapping[Tally, int], n_wanted: int | None = None) -> Prospect:
    """Add up documents by how far they are; with a number, as if so many judgments were wanted.

    >>> found = {Tally(2, 2, 0, 1): 5, Tally(2, 1, 1, 1): 3, Tally(2, 0, 1, 2): 1}
    >>> prospect(found).n_open, prospect(found).n_lacking
    (4, 5)
    >>> prospect(found, 3).n_open, prospect(found, 3).n_stuck
    (9, 4)
    """
    rows = [(each if n_wanted is None else each.at(n_wanted), n) for each, n in tallies.items()]
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
