"""Scales: where a value lies between the ends of an axis, and the round numbers to name there."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cleverdon.pictures.numbers import known, written

# Smaller steps than this part of the values are not distinct.
FINEST = 1e-12
GRID_LINES = 4


@dataclass(frozen=True)
class Axis:
    """An axis from `low` to `high` with the values to name. `at` is linear: 0 at low, 1 at high."""

    low: float
    high: float
    ticks: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()

    def at(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    @property
    def named(self) -> list[tuple[float, str]]:
        """Return each tick with its label."""
        return list(zip(self.ticks, self.labels, strict=True))


def scale(
    *series: Sequence[float],
    low: float | None = None,
    high: float | None = None,
    at_most: int = GRID_LINES,
    whole: bool = False,
) -> Axis:
    """Return the axis of all values, `low` and `high`, with `at_most` round ticks besides 0.

    Values that are all equal get a little room on both sides.
    """
    ends = known(*series, [end for end in (low, high) if end is not None]) or [0.0]
    bottom, top = _apart(min(ends), max(ends))
    ticks, labels = ticks_of(bottom, top, at_most, whole=whole)
    return Axis(bottom, top, ticks, labels)


def from_zero(values: Sequence[float]) -> Axis:
    """Return the axis from 0 that holds all values."""
    numbers = known(values)
    if not any(numbers):
        return Axis(0, 1, (0,), ("0",))
    return scale(numbers, low=0, whole=all(number.is_integer() for number in numbers))


def _apart(low: float, high: float) -> tuple[float, float]:
    size = max(abs(low), abs(high))
    if high - low > size * FINEST:
        return low, high
    if low == 0:
        return 0.0, 1.0
    return low - size / 2, high + size / 2


def ticks_of(
    low: float, high: float, at_most: int, *, whole: bool = False
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return round numbers between the ends, 1, 2 or 5 times a power of ten apart, and labels.

    >>> ticks_of(0, 0.7, 4)
    ((0.0, 0.2, 0.4, 0.6), ('0', '0.2', '0.4', '0.6'))
    """
    step, power = _step((high - low) / (at_most + 2), whole=whole)
    while True:
        first, last = _multiples(low, high, step)
        if last - first + 1 - (first <= 0 <= last) <= at_most:
            break
        step, power = _step(step * 1.01, whole=whole)
    decimals = max(0, -power)
    ticks = tuple(round(n * step, decimals) for n in range(first, last + 1))
    return ticks, tuple(_label(tick, decimals, max(abs(low), abs(high))) for tick in ticks)


def _multiples(low: float, high: float, step: float) -> tuple[int, int]:
    """Return the first and last multiple of a step from `low` to `high`, rounding aside."""
    slack = 1e-9
    return math.ceil(low / step - slack), math.floor(high / step + slack)


def _step(at_least: float, *, whole: bool) -> tuple[float, int]:
    """Return the smallest 1, 2 or 5 times a power of ten from `at_least` on, and the power."""
    at_least = max(at_least, 1.0 if whole else 5e-300)
    power = math.floor(math.log10(at_least))
    for factor in (1, 2, 5):
        if float(f"{factor}e{power}") >= at_least * (1 - 1e-9):
            return float(f"{factor}e{power}"), power
    return float(f"1e{power + 1}"), power + 1


def _label(tick: float, decimals: int, size: float) -> str:
    if tick == 0:
        return "0"
    if size < 1e7 and tick == int(tick):
        return written(tick, 0)
    if size >= 1e7:
        return f"{written(tick / 1e6)} M" if size < 1e13 else written(tick)
    if size < 1e-4:
        return written(float(f"{tick:.6g}"))
    return written(tick, decimals)
