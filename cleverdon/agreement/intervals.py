"""Intervals by the jackknife: what a value becomes without each topic in turn."""

import numpy as np

from cleverdon.agreement.sums import Units, Values
from cleverdon.trec.arrays import Floats, totals

# Student's t of 97.5 % with 1 to 40 degrees of freedom.
T = (
    12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836, 2.446911851, 2.364624252,
    2.306004135, 2.262157163, 2.228138852, 2.200985160, 2.178812830, 2.160368656, 2.144786688,
    2.131449546, 2.119905299, 2.109815578, 2.100922040, 2.093024054, 2.085963447, 2.079613845,
    2.073873068, 2.068657610, 2.063898562, 2.059538553, 2.055529439, 2.051830516, 2.048407142,
    2.045229642, 2.042272456, 2.039513446, 2.036933343, 2.034515297, 2.032244509, 2.030107928,
    2.028094001, 2.026192463, 2.024394164, 2.022690920, 2.021075390,
)  # fmt: skip
Z = 1.959963984540054


def t_975(freedom: Floats) -> Floats:
    """Return Student's t of 97.5 %; exact to 1e-8.

    Beyond 40 degrees of freedom by its expansion: Abramowitz and Stegun 1964, 26.7.5.

    >>> t_975(np.array([1.0, 49.0])).round(4).tolist()
    [12.7062, 2.0096]
    """
    f = np.maximum(freedom, 1.0)
    g1 = (Z**3 + Z) / 4
    g2 = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    g3 = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    g4 = (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160
    few = np.array(T)[np.minimum(f, len(T)).astype(int) - 1]
    many = Z + g1 / f + g2 / f**2 + g3 / f**3 + g4 / f**4
    found: Floats = np.where(f <= len(T), few, many)
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
