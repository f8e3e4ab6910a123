"""Simulated judgments: true grades with errors at stated rates."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

# Of the program on trial: its errors, and how often what it says is no grade.
PROGRAM_RATE, UNREAD_RATE = 0.3, 0.01
N_GRADES = 4
FALLOFF = 4  # each further step from the true grade is this many times less likely
ERROR_RATES: Mapping[str, float] = {"ada": 0.08, "ben": 0.15, "cleo": 0.25}


def simulated_grade(true: int, error_rate: float, rng: np.random.Generator) -> int:
    """Return the grade that an assessor with this error rate gives a document of grade `true`.

    Draws one number whatever the grade, so that changing one document's true grade changes no other
    judgment. ValueError as in `grade_probabilities`.
    """
    upper = grade_probabilities(true, error_rate).cumsum()
    return int(np.searchsorted(upper[:-1], rng.random(), side="right"))


def grade_probabilities(true: int, error_rate: float) -> NDArray[np.float64]:
    """Return the probability [4] of each grade: a row of Dawid & Skene's (1979) error rates.

    The true grade has `1 - error_rate`; the others share `error_rate`, those nearby more than those
    far off.

    >>> grade_probabilities(1, 0.18).round(2).tolist()
    [0.08, 0.82, 0.08, 0.02]
    """
    if not 0 <= true < N_GRADES:
        raise ValueError(f"A grade is 0 to {N_GRADES - 1}, not {true}.")
    if not 0 <= error_rate <= 1:
        raise ValueError(f"An error rate is 0 to 1, not {error_rate}.")
    weights: NDArray[np.float64] = float(FALLOFF) ** -np.abs(np.arange(N_GRADES) - true)
    weights[true] = 0
    chances: NDArray[np.float64] = weights * (error_rate / weights.sum())
    chances[true] = 1 - error_rate
    return chances
