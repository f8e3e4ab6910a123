"""How complete the judgments of a pool are: at which ranks relevant ones stood, how many miss."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from trec.arrays import Integers


def found_by_rank(best_ranks: Iterable[int]) -> Integers:
    """Count the documents whose best rank, from 1, is at most 1, 2, 3 and so on.

    The array is as long as the lowest of these ranks.

    >>> found_by_rank([1, 3, 1]).tolist()
    [2, 2, 3]
    """
    return np.cumsum(np.bincount(np.array(list(best_ranks), dtype=np.int64))[1:])


class Missing(NamedTuple):
    """Relevant documents found, and those that exactly one and exactly two runs contributed."""

    n_found: int
    n_once: int
    n_twice: int

    @classmethod
    def of(cls, n_runs: Iterable[int]) -> "Missing":
        """Take the number of runs that contributed each relevant document."""
        counts = Counter(n_runs)
        return cls(counts.total(), counts[1], counts[2])

    @property
    def chao1(self) -> float:
        """Chao1, a lower bound of the relevant documents there are (Chao 1984).

        It takes the runs for independent draws. Runs that are alike, and documents that no run of
        the kind can find, make the truth higher. Without any found twice it is the bias-corrected
        form (Chao 1987).

        >>> round(Missing(1497, 197, 104).chao1, 1), Missing(5, 3, 0).chao1
        (1683.6, 8.0)
        """
        once, twice = self.n_once, self.n_twice
        more = once**2 / (2 * twice) if twice else once * (once - 1) / 2
        return self.n_found + more

    @property
    def n_missed(self) -> int:
        return round(self.chao1) - self.n_found


def last_share(found: Sequence[int], part: float = 0.5) -> float:
    """Return which share of those `found_by_rank` stands below this part of the ranks.

    >>> last_share([5, 6, 9, 12])
    0.5
    """
    kept = max(1, round(part * len(found)))
    return 1 - found[kept - 1] / found[-1] if found else 0.0
