"""Numbers: gaps, medians, and how they are written."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

# The input of a picture: a sequence with None for a gap, or an array; and rows of them.
Numbers = Sequence[float | None] | npt.NDArray[Any]
Rows = Sequence[Numbers] | npt.NDArray[Any]

GAP = math.nan
# Smaller values count as 0, larger ones as infinite.
SMALLEST, LARGEST = 1e-100, 1e100
NOTHING, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"


def floats(values: Iterable[float | None]) -> list[float]:
    """Return values as floats; a missing or infinite one is a gap.

    >>> floats([1, None])
    [1.0, nan]
    """
    given = values if isinstance(values, np.ndarray) else list(values)
    numbers = np.array(given, dtype=float)
    size = np.abs(numbers)
    numbers[size < SMALLEST] = 0
    numbers[~(size < LARGEST)] = GAP
    as_floats: list[float] = numbers.tolist()
    return as_floats


def known(*series: Iterable[float]) -> list[float]:
    """Return the values that are no gaps."""
    return [value for values in series for value in values if not math.isnan(value)]


def written(value: float, decimals: int | None = None) -> str:
    """Write a number with thousands separated and a true minus, with `decimals` or up to four.

    >>> written(1234), written(0.41, 3), written(-0.5) == MINUS + "0.5"
    ('1,234', '0.410', True)
    """
    if math.isnan(value):
        return NOTHING
    if decimals is None:
        return _short(value)
    text = f"{value:,.{decimals}f}"
    return _signed(text if float(text.replace(",", "")) else text.lstrip("-"))


def _short(value: float) -> str:
    size = abs(value)
    if size and not 1e-4 <= size < 1e10:
        return _signed(f"{value:.4g}")
    text = f"{value:,.4f}" if size < 1e6 else f"{value:,.0f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return _signed(text)


def _signed(text: str) -> str:
    return text.replace("-", MINUS)


def median(values: Iterable[float]) -> float:
    """Return the median of the known values, or a gap."""
    ordered = sorted(known(values))
    if not ordered:
        return GAP
    half, odd = divmod(len(ordered), 2)
    return ordered[half] if odd else (ordered[half - 1] + ordered[half]) / 2
