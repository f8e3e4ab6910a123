"""How alike two orders of the same runs are. All take the values of each, [runs]; more is better.

None stands for an undefined correlation: of fewer than two runs, or where all tie.
"""

import numpy as np

from cleverdon.trec.arrays import Floats, Integers

PERSISTENCE = 0.9


def tau_b(first: Floats, second: Floats) -> float | None:
    """Return Kendall's tau-b (1945, The treatment of ties in ranking problems)."""
    one, other = (np.sign(values[:, None] - values) for values in (first, second))
    pairs = float(np.sqrt(np.vdot(one, one) * np.vdot(other, other)))
    return float(np.vdot(one, other)) / pairs if pairs else None


def tau_ap(first: Floats, second: Floats) -> float | None:
    """Return tau-AP, which weighs the top (Yilmaz, Aslam and Robertson 2008), of both directions.

    With ties it is tau-AP-b (Urbano and Marrero 2017): a run counts those strictly above it; a pair
    that only the other order ties is not in agreement.
    """
    parts = _tau_ap(first, second), _tau_ap(second, first)
    return None if None in parts else sum(filter(None, parts)) / 2


def _tau_ap(first: Floats, second: Floats) -> float | None:
    above = second > second[:, None]
    n_above, n_agreeing = above.sum(axis=1), (above & (first > first[:, None])).sum(axis=1)
    lower = n_above > 0
    return float(2 * (n_agreeing[lower] / n_above[lower]).mean() - 1) if lower.any() else None


def rbo(first: Floats, second: Floats, p: float = PERSISTENCE) -> float | None:
    """Return rank-biased overlap, extrapolated (Webber, Moffat and Zobel 2010).

    Runs that tie share the first rank of their group, and come into a depth together: agreement
    there is twice the overlap over the number of runs in both.
    """
    depths = np.arange(1, len(first) + 1)
    one, other = (_ranks(values)[:, None] <= depths for values in (first, second))
    agreement = 2 * (one & other).sum(axis=0) / (one.sum(axis=0) + other.sum(axis=0))
    found = float(p ** len(depths) + (1 - p) / p * (agreement * p**depths).sum())
    return found if len(first) > 1 else None


def _ranks(values: Floats) -> Integers:
    above: Integers = (values > values[:, None]).sum(axis=1)
    return 1 + above
