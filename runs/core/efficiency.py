"""What a team may state of a run's efficiency, and how it is written."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from cleverdon.pictures.numbers import NOTHING, written


class Figure(NamedTuple):
    """A column of a run: its name, its words and unit on pages, and what is stored for one unit."""

    name: str
    words: str
    unit: str
    of_unit: int = 1

    @property
    def title(self) -> str:
        return f"{self.words}, {self.unit}"

    @property
    def sign(self) -> int:
        """Return 1 if more is better, otherwise -1."""
        return 1 if self.name == "queries_per_second" else -1

    def of(self, run: object) -> float | None:
        """Return a run's figure in this unit; None if it is not stated."""
        stored: float | None = getattr(run, self.name)
        return None if stored is None else stored / self.of_unit

    def text(self, value: float | None) -> str:
        """Write a value in this unit, to four digits; files have all."""
        return NOTHING if value is None else written(float(f"{value:.4g}"))


PERCENTILES = {"latency_p50_ms": "50th", "latency_p95_ms": "95th", "latency_p99_ms": "99th"}
FIGURES = (
    Figure("latency_mean_ms", "Mean latency", "ms"),
    *(Figure(name, f"Latency, {nth} percentile", "ms") for name, nth in PERCENTILES.items()),
    Figure("queries_per_second", "Throughput", "queries/s"),
    Figure("index_seconds", "Index time", "s"),
    Figure("index_bytes", "Index size", "MB", 1_000_000),
)
EFFICIENCY = (*(each.name for each in FIGURES), "hardware")


def faults(values: Mapping[str, Any]) -> dict[str, str]:
    """Return by column what cannot be: less than 0, or a percentile below an earlier one.

    >>> faults({"latency_p50_ms": 9, "latency_p99_ms": 8})
    {'latency_p99_ms': 'The 99th percentile is below the 50th.'}
    """
    stated = {each.name: values[each.name] for each in FIGURES if values.get(each.name) is not None}
    found = {name: "It cannot be negative." for name, value in stated.items() if value < 0}
    for before, name in pairwise(each for each in PERCENTILES if each in stated):
        if stated[name] < stated[before]:
            found[name] = f"The {PERCENTILES[name]} percentile is below the {PERCENTILES[before]}."
    return found
