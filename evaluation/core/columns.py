"""Measures as columns of a page: how their values are written, and which ask for a look."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from cleverdon.measures.family import Best, Measure
from cleverdon.measures.inferred import estimates

MINUS, NOTHING, SPACE = "\N{MINUS SIGN}", "\N{EN DASH}", "\N{NO-BREAK SPACE}"
# With a smaller percentage of judged documents a score rests on guesses.
ENOUGH_JUDGED = 80


@dataclass(frozen=True)
class MeasureColumn:
    """A measure as a column of a page; exports have all digits.

    Scores have three decimals, counts none, and shares of judged documents are percentages. Of a
    sample it `estimates` for what was not drawn, or takes it as not relevant.
    """

    name: str
    definition: str
    best: Best
    is_count: bool
    is_share: bool
    estimates: bool = False

    @classmethod
    def of(cls, measure: Measure) -> "MeasureColumn":
        family = measure.family
        return cls(
            str(measure),
            family.definition,
            family.best,
            is_count=family.unit == "count",
            is_share=family.name == "Judged",
            estimates=estimates(measure),
        )

    @property
    def sign(self) -> int:
        """Return 1 if more is better, or if nothing is; otherwise -1."""
        return -1 if self.best is Best.LOWEST else 1

    def text(self, value: float) -> str:
        """Write a value, rounded as C's printf does; an aggregate over no topic is a dash."""
        if math.isnan(value):
            return NOTHING
        if self.is_share:
            return f"{100 * value:.0f}{SPACE}%"
        return f"{value:,.0f}" if self.is_count else f"{value:.3f}"

    def change(self, after: float, before: float) -> str:
        """Write by how much a value rose; the difference of the texts, so that a table adds up."""
        if math.isnan(after) or math.isnan(before):
            return NOTHING
        difference = self.difference(after, before)
        sign = ("+" if difference > 0 else MINUS) if difference else ""
        return f"{sign}{abs(difference):,}{f'{SPACE}%' if self.is_share else ''}"

    def difference(self, after: float, before: float) -> Decimal:
        """Return the difference of two texts, of a share in percent; 0 if one is missing."""
        if math.isnan(after) or math.isnan(before):
            return Decimal(0)
        return self._as_shown(after) - self._as_shown(before)

    def _as_shown(self, value: float) -> Decimal:
        return Decimal(self.text(value).removesuffix(f"{SPACE}%").replace(",", ""))

    def is_low(self, value: float) -> bool:
        """Whether too few documents are judged."""
        known = self.is_share and not math.isnan(value)
        return known and round(100 * value) < ENOUGH_JUDGED

    def lows(self, values: Sequence[float]) -> list[bool]:
        """Return which values are low; none where most are, which a page says once instead."""
        if self.n_mostly_low(values):
            return [False] * len(values)
        return [self.is_low(value) for value in values]

    def n_mostly_low(self, values: Sequence[float]) -> int:
        """Return how many values are low where most of several are; otherwise 0."""
        n_low = sum(map(self.is_low, values))
        return n_low if 2 * n_low > len(values) > 1 else 0
