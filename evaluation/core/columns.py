"""Measures as columns of a page: how their values are written, and which ask for a look."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from measures.family import Best, Measure
from pictures.rows import axis_of
from pictures.scales import Scale

MINUS, NOTHING, SPACE = "\N{MINUS SIGN}", "\N{EN DASH}", "\N{NO-BREAK SPACE}"
# Below this percentage of judged documents a score rests on guesses.
ENOUGH_JUDGED = 80
# Columns of fewer runs have no shades: they would show differences where there are none.
FEWEST_SHADED, SHADES = 5, 6


@dataclass(frozen=True)
class Column:
    """A measure. Scores have three decimals, counts none, and shares of judged documents are percentages; exports have all digits."""

    name: str
    definition: str
    best: Best
    is_count: bool
    is_share: bool

    @classmethod
    def of(cls, measure: Measure) -> "Column":
        family = measure.family
        return cls(
            str(measure),
            family.definition,
            family.best,
            is_count=family.unit == "count",
            is_share=family.name == "Judged",
        )

    @property
    def sign(self) -> int:
        """Return 1 if more is better, or if nothing is; otherwise -1."""
        return -1 if self.best is Best.LOWEST else 1

    @property
    def best_word(self) -> str:
        """What the first run of a board is by this measure."""
        return "highest" if self.best is Best.NONE else "best"

    def text(self, value: float) -> str:
        """Write a value, rounded as C's printf does; a mean over no topic is a dash."""
        if math.isnan(value):
            return NOTHING
        if self.is_share:
            return f"{100 * value:.0f}{SPACE}%"
        return f"{value:,.0f}" if self.is_count else f"{value:.3f}"

    def change(self, after: float, before: float) -> str:
        """Write by how much a value rose, with its sign; the difference of what is shown, so that the columns of a table add up."""
        if math.isnan(after) or math.isnan(before):
            return NOTHING
        difference = self.difference(after, before)
        sign = ("+" if difference > 0 else MINUS) if difference else ""
        return f"{sign}{abs(difference):,}{f'{SPACE}%' if self.is_share else ''}"

    def difference(self, after: float, before: float) -> Decimal:
        """Return by how much what is shown of a value rose; of a share in percent. What is missing did not change."""
        if math.isnan(after) or math.isnan(before):
            return Decimal(0)
        return self._shown(after) - self._shown(before)

    def _shown(self, value: float) -> Decimal:
        number = self.text(value).removesuffix(f"{SPACE}%").replace(",", "")
        return Decimal(number)

    def is_low(self, value: float) -> bool:
        """Whether so few documents are judged that one should look."""
        known = self.is_share and not math.isnan(value)
        return known and round(100 * value) < ENOUGH_JUDGED

    def lows(self, values: Sequence[float]) -> list[bool]:
        """Return which values ask for a look; none of them where most do, which is said once instead."""
        if self.n_mostly_low(values):
            return [False] * len(values)
        return [self.is_low(value) for value in values]

    def n_mostly_low(self, values: Sequence[float]) -> int:
        """Return how many values ask for a look, where most of several do; otherwise 0."""
        n_low = sum(map(self.is_low, values))
        return n_low if 2 * n_low > len(values) > 1 else 0

    def axis(self, values: Sequence[float]) -> Scale:
        """Return the axis that the dots of a table share, its values written as they are in the column."""
        if not self.is_share:
            return axis_of(values)
        known = [100 * value for value in values if not math.isnan(value)] or [0.0]
        # Whole percentages, and room for the dots at both ends.
        ends = math.floor(min(known) - 0.5), math.ceil(max(known) + 0.5)
        axis = axis_of(known, low=ends[0], high=ends[1], whole=True)
        labels = tuple(f"{label}{SPACE}%" for label in axis.labels)
        return Scale(
            axis.low / 100, axis.high / 100, tuple(tick / 100 for tick in axis.ticks), labels
        )

    def shades(self, values: Sequence[float]) -> list[int | None]:
        """Return the sixth of its column that each value is in, 0 for the lowest; None where there is none.

        Equal texts have one shade. Sixths rather than the distance from the lowest, which one bad run would make of no use.
        """
        texts = [self.text(value) for value in values]
        known = sorted(value for value in values if not math.isnan(value))
        if self.is_share or len(known) < FEWEST_SHADED or len(set(texts)) == 1:
            return [None] * len(values)
        lowest: dict[str, int] = {}
        for n, value in enumerate(known):
            lowest.setdefault(self.text(value), n * SHADES // len(known))
        return [lowest.get(text) for text in texts]


def ordinal(n: int) -> str:
    """Write a place.

    >>> ordinal(1), ordinal(12), ordinal(23), ordinal(1111)
    ('1st', '12th', '23rd', '1,111th')
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{'th' if n % 100 in {11, 12, 13} else ending}"
