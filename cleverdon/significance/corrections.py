"""Corrections of p-values for the number of tests."""

from collections.abc import Callable, Mapping

import numpy as np

from cleverdon.trec.arrays import Floats


def bonferroni(p: Floats) -> Floats:
    """Multiply by the number of tests (Dunn 1961)."""
    return np.minimum(p * len(p), 1.0)


def holm(p: Floats) -> Floats:
    """Step down (Holm 1979): never weaker than Bonferroni, for any dependence."""
    order = _order(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _back(np.minimum(stepped, 1.0), order)


def benjamini_hochberg(p: Floats) -> Floats:
    """Step up (Benjamini and Hochberg 1995): bounds the share of false discoveries."""
    order = _order(p)[::-1]
    stepped = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    return _back(np.minimum(stepped, 1.0), order)


def _order(p: Floats) -> list[int]:
    return sorted(range(len(p)), key=p.__getitem__)


def _back(ordered: Floats, order: list[int]) -> Floats:
    found = np.empty_like(ordered)
    found[order] = ordered
    return found


CORRECTIONS: Mapping[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "bh": benjamini_hochberg,
    "none": lambda p: p,
}


def least_draws(alpha: float, n_tests: int, correction: str) -> int:
    """Return the fewest draws with which a correction can find anything at a level.

    The smallest p-value of B draws is 1 / (B + 1). Holm and Bonferroni multiply it by the number of
    tests; Benjamini-Hochberg does not if all tests have it.
    """
    family = n_tests if correction in {"holm", "bonferroni"} else 1
    return int(np.ceil(family / alpha - 1e-9)) - 1
