"""Numbers as they come and as they are written."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

# What a form takes: a sequence in which a value may be missing, or an array; and rows of them.
Numbers = Sequence[float | None] | npt.NDArray[Any]
Rows = Sequence[Numbers] | npt.NDArray[Any]

GAP = math.nan
# What is smaller is nothing, and what is larger is as good as infinite.
SMALLEST, LARGEST = 1e-100, 1e100
NOTHING, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"


def floats(values: Iterable[float | None]) -> list[float]:
    """Return values as floats; what is missing or infinite is a gap.

    >>> floats([1, None])
    [1.0, nan]
    """
    given = values if isinstance(values, np.ndarray) else list(values)
    numbers = np.array(given, dtype=float)
    size = np.abs(numbers)
    numbers[size < SMALLEST] = 0
    numbers[~(size < LARGEST)] = GAP
    found: list[float] = numbers.tolist()
    return found


def known(*series: Iterable[float]) -> list[float]:
    """Return the values that are no gaps."""
    return [value for values in series for value in values if value == value]  # noqa: PLR0124 - only a gap differs from itself


def written(value: float, decimals: int | None = None) -> str:
    """Write a number with thousands apart and a true minus; without `decimals`, as few as it needs, up to four.

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
    """Return the median of what is known; a gap if nothing is."""
    ordered = sorted(known(values))
    if not ordered:
        return GAP
    half, odd = divmod(len(ordered), 2)
    return ordered[half] if odd else (ordered[half - 1] + ordered[half]) / 2
