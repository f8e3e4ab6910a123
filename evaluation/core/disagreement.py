"""What disagreement between assessors does to the ranking of runs, as `core.varied` finds it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import compress
from typing import Any, Self

Known = Sequence[float | None]
# Before the name of a program, all of whose labels stand in place of people's grades.
PROGRAM = "program "


@dataclass(frozen=True)
class OfVariant:
    """A variant of the judgments by a measure.

    `alike` are tau-b, tau-AP and RBO with the official board, a row for each of `tops`. Of the
    pairs told apart officially `n_reversed` are told apart the other way round, and `n_lost` not
    any more; None where no pairs are compared. The run `moved` goes `up` most places, or down.
    """

    variant: str
    alike: Sequence[Known]
    n_reversed: int | None
    n_lost: int | None
    moved: str = ""
    up: int = 0


@dataclass(frozen=True)
class OfRun:
    """A run by the official judgments, and over the mixtures: its scores, and its places.

    `under` are its scores under each variant.
    """

    run: str
    score: float
    low: float
    mean: float
    high: float
    place: int
    best: int
    worst: int
    under: Sequence[float]


@dataclass(frozen=True)
class Swap:
    """Two neighbors on the official board, and the share of mixtures where they are swapped."""

    better: str
    worse: str
    share: float


@dataclass(frozen=True)
class OfMeasure:
    """The boards by a measure, the official one first.

    `tops` are how many runs each row of coefficients is of: all, then those of the first 15 and 30
    places. `mixtures` are the mean, lowest and highest of each, [tops x coefficients x 3].
    `n_told` pairs are told apart officially, None where none are compared.
    """

    measure: str
    tops: Sequence[int]
    n_told: int | None
    variants: Sequence[OfVariant]
    mixtures: Sequence[Sequence[Known]]
    runs: Sequence[OfRun]
    swaps: Sequence[Swap]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        parts = {"variants": OfVariant, "runs": OfRun, "swaps": Swap}
        made = {name: [part(**each) for each in stored[name]] for name, part in parts.items()}
        return cls(**{**stored, **made})


@dataclass(frozen=True)
class Disagreement:
    """What it does: of `n_judged` documents `n_twice`, of `n_topics`, were judged twice.

    Of these `n_differ` have two different grades. The mixtures are drawn by the seed.
    """

    n_judged: int
    n_twice: int
    n_differ: int
    n_topics: int
    n_mixtures: int
    seed: int
    measures: Sequence[OfMeasure]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(**{**stored, "measures": [OfMeasure.from_json(m) for m in stored["measures"]]})

    def of_people(self) -> Self:
        """Return it without what is told of programs: the same variants, and each run's scores."""
        kept = []
        for each in self.measures:
            own = [not one.variant.startswith(PROGRAM) for one in each.variants]
            runs = [replace(run, under=[*compress(run.under, own)]) for run in each.runs]
            kept.append(replace(each, variants=[*compress(each.variants, own)], runs=runs))
        return replace(self, measures=kept)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
