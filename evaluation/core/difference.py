"""How sure the difference of two runs is."""

from typing import NamedTuple

import numpy as np

from significance.intervals import ALPHA, intervals
from significance.randomization import Draws, effect, randomization
from trec.arrays import Floats

# So many signs are drawn while a page waits: 19,999 draws for up to 100 topics, fewer for more.
MOST_DRAWS, FEWEST_DRAWS, SIGNS = 19_999, 1_999, 2_000_000


class Difference(NamedTuple):
    """A mean difference over topics: its 95 % interval, p by randomization, two-sided, and d_z.

    `n_draws` are all signs there are if the test `is_exact`.
    """

    low: float
    high: float
    p: float
    n_draws: int
    is_exact: bool
    d_z: float | None

    @property
    def is_told(self) -> bool:
        return self.p <= ALPHA


def difference_of(differences: Floats) -> Difference | None:
    """Test the differences of two runs by topic; None where they never differ."""
    n_draws = min(max(SIGNS // max(len(differences), 1), FEWEST_DRAWS), MOST_DRAWS)
    tested = randomization(differences, 2, 0.0, Draws(n_draws))
    if tested.p is None:
        return None
    # The same the other way round: where draws are split, trec_eval's ends are not.
    low, high = intervals(np.array([differences, -differences]))[0] * (1, -1)
    size = effect(differences)
    return Difference(float(low), float(high), tested.p, tested.n_draws, tested.is_exact, size.d_z)
