"""How large an effect may be, and how many topics it takes, by the paired t test.

scipy is slow to import.
"""

import numpy as np
from scipy import optimize, stats

ALPHA, POWER = 0.05, 0.8
# Of a larger effect two topics are enough; from so many topics on t is normal.
LARGEST, NORMAL_FROM = 100.0, 1_000_000


def topics_needed(d_z: float) -> int:
    """Return the fewest topics that show an effect at ALPHA with POWER, two-sided (Cohen 1988).

    `d_z` is the mean difference in standard deviations of the differences, over 0.
    """
    d_z = min(d_z, LARGEST)
    n = max(int((stats.norm.isf(ALPHA / 2) + stats.norm.ppf(POWER)) ** 2 / d_z**2), 2)
    while n < NORMAL_FROM and _power(n, d_z) < POWER:
        n += 1
    return n


def effect_ends(d_z: float, n_topics: int, alpha: float = ALPHA) -> tuple[float, float]:
    """Return the interval of an effect, from noncentral t (Steiger and Fouladi 1997).

    0 is in it where the paired t test has p over alpha.
    """
    root, df = float(np.sqrt(n_topics)), n_topics - 1
    t = abs(d_z) * root
    room = 6 * float(np.sqrt(1 + t**2 / (2 * df)))

    def end(share: float) -> float:
        found = optimize.brentq(lambda at: stats.nct.cdf(t, df, at) - share, t - room, t + room)
        return float(found) / root

    low, high = end(1 - alpha / 2), end(alpha / 2)
    return (low, high) if d_z >= 0 else (-high, -low)


def _power(n: int, d_z: float) -> float:
    limit, shift = stats.t.isf(ALPHA / 2, n - 1), d_z * np.sqrt(n)
    return float(stats.nct.sf(limit, n - 1, shift) + stats.nct.cdf(-limit, n - 1, shift))
