"""How complete the judgments of a pool are: at which ranks relevant ones stood, how many miss."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cleverdon.trec.arrays import Floats, Mask

# With more undecided among a hundred, what is missing from the pool cannot be told yet.
MOST_UNDECIDED = 5
# A topic may stop after this many judgments without a relevant one; or, at NIST, after so many,
# or once more than half of so many judged are relevant.
TAIL, NIST_TAIL, NIST_SEEN = 40, 20, 300


def found_by_rank(best_ranks: Sequence[int], weights: Sequence[float] = ()) -> Floats:
    """Count the documents whose best rank, from 1, is at most 1, 2, 3 and so on.

    The array is as long as the lowest of these ranks. A document counts `weights` times.

    >>> found_by_rank([1, 3, 1]).tolist()
    [2.0, 2.0, 3.0]
    """
    ranks = np.array(best_ranks, dtype=np.int64)
    return np.cumsum(np.bincount(ranks, weights=weights or np.ones(len(ranks)))[1:])


class Missing(NamedTuple):
    """Relevant documents found, and those that exactly one and exactly two of the runs brought.

    Of a sample the counts are estimates for its population.
    """

    n_found: float
    n_once: float
    n_twice: float
    n_runs: int

    @classmethod
    def of(cls, held_by: Sequence[int], n_runs: int, weights: Sequence[float] = ()) -> "Missing":
        """Take the number of runs that contributed each relevant document, and of all runs."""
        counts = np.bincount(
            np.array(held_by, dtype=np.int64), weights=weights or np.ones(len(held_by)), minlength=3
        )
        return cls(float(counts.sum()), float(counts[1]), float(counts[2]), n_runs)

    @property
    def chao2(self) -> float:
        """Chao2, a lower bound of the relevant documents there are (Chao 1987).

        It takes the runs for independent draws, each of which has a document or not. Runs that are
        alike, and documents that no run of the kind can find, make the truth higher. Without any
        found twice it is the bias-corrected form.

        >>> round(Missing(1951, 1068, 329, 56).chao2, 1), Missing(5, 3, 0, 4).chao2
        (3653.5, 7.25)
        """
        once, twice = self.n_once, self.n_twice
        more = once**2 / (2 * twice) if twice else once * max(once - 1, 0) / 2
        return self.n_found + more * (self.n_runs - 1) / max(self.n_runs, 1)

    @property
    def n_missed(self) -> int:
        return round(self.chao2 - self.n_found)


def is_early(n_left: int, n_pooled: int) -> bool:
    """Whether too many pooled documents are undecided to estimate what is missing.

    >>> is_early(5, 100), is_early(6, 100), is_early(0, 0)
    (False, True, False)
    """
    return 100 * n_left > MOST_UNDECIDED * n_pooled


def last_share(found: Sequence[float], part: float = 0.5) -> float:
    """Return which share of those `found_by_rank` stands below this part of the ranks.

    >>> last_share([5, 6, 9, 12])
    0.5
    """
    kept = max(1, round(part * len(found)))
    return 1 - found[kept - 1] / found[-1] if found else 0.0


def is_dry(relevant: Mask, n: int = TAIL) -> bool:
    """Whether none of the last n judgments of a topic, in the order given, was relevant.

    >>> is_dry(np.array([1, 0, 0], dtype=bool), 2), is_dry(np.array([0, 0], dtype=bool), 3)
    (True, False)
    """
    return len(relevant) >= n and not bool(relevant[-n:].any())


def stops_at_nist(relevant: Mask) -> bool:
    """Whether NIST would stop a topic: it is dry, or has too many relevant documents to find."""
    n = len(relevant)
    return is_dry(relevant, NIST_TAIL) or (n >= NIST_SEEN and 2 * int(relevant.sum()) > n)
