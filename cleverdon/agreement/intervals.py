"""Intervals by the jackknife: what a value becomes without each topic in turn."""

import numpy as np

from cleverdon.agreement.sums import Units, Values
from cleverdon.trec.arrays import Floats, totals

# Student's t of 97.5 % with 1 to 20 degrees of freedom.
T = (
    12.7062047, 4.3026527, 3.1824463, 2.7764451, 2.5705818, 2.4469119, 2.3646243, 2.3060041,
    2.2621572, 2.2281389, 2.2009852, 2.1788128, 2.1603687, 2.1447867, 2.1314495, 2.1199053,
    2.1098156, 2.1009220, 2.0930241, 2.0859634,
)  # fmt: skip
Z = 1.959963984540054


def t_975(freedom: Floats) -> Floats:
    """Return Student's t of 97.5 %; beyond 20 degrees of freedom by its expansion.

    Abramowitz and Stegun 1964, 26.7.5.

    >>> t_975(np.array([1.0, 49.0])).round(4).tolist()
    [12.7062, 2.0096]
    """
    f = np.maximum(freedom, 1.0)
    g1 = (Z**3 + Z) / 4
    g2 = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    g3 = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    few = np.array(T)[np.minimum(f, len(T)).astype(int) - 1]
    found: Floats = np.where(f <= len(T), few, Z + g1 / f + g2 / f**2 + g3 / f**3)
    return found


def jackknife(
    values: Values, units: Units, lowest: float, highest: float = 1.0
) -> tuple[Floats, Floats]:
    """Return the ends of a 95 % interval of each group, [groups] each, within the range.

    The value, and t with one degree of freedom less than units times the standard error of Tukey
    (1958). NaN where there is one unit, where the value is undefined without some unit, and where
    no unit changes it: of grades that are all equal nothing is known about others.
    """
    n_groups = len(values.of_groups)
    n = totals(units.group, units.n, n_groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = totals(units.group, units.n * values.without, n_groups) / n
        squares = units.n * (values.without - mean[units.group]) ** 2
        variance = (n - 1) / n * totals(units.group, squares, n_groups)
        half = t_975(n - 1) * np.sqrt(variance)
    half[(n < 2) | ~(half > 1e-12)] = np.nan
    low, high = values.of_groups - half, values.of_groups + half
    return np.maximum(low, lowest), np.minimum(high, highest)
