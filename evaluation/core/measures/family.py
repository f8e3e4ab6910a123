"""A measure, and the family of those that differ only in level and cutoff."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from evaluation.core.arrays import Floats, Integers
from evaluation.core.evidence import NO_CUTOFF, Evidence


class Cutoff(StrEnum):
    """Whether a measure stops reading somewhere."""

    NEVER = "never"
    OPTIONAL = "optional"
    ALWAYS = "always"


class Aggregation(StrEnum):
    """How the values of the topics become one."""

    MEAN = "mean"
    SUM = "sum"


@dataclass(frozen=True, kw_only=True)
class Family:
    """What measures of one name share. `formula` reads evidence already cut, and gives a value for each topic.

    `trec_eval` is trec_eval's name without a cutoff and `trec_eval_cut` the one before a cutoff; empty where it has none.
    """

    name: str
    formula: Callable[[Evidence], Floats | Integers]
    definition: str
    source: str
    trec_eval: str = ""
    trec_eval_cut: str = ""
    cutoff: Cutoff = Cutoff.NEVER
    reads_level: bool = True
    unit: str = "0 to 1"
    aggregation: Aggregation = Aggregation.MEAN

    def measure(
        self, *, cutoff: int | None = None, level: int | None = None
    ) -> "Measure":
        """Return a measure of this family; ValueError when the family has no such one."""
        if cutoff is None and self.cutoff is Cutoff.ALWAYS:
            raise ValueError(
                f"{self.name} needs a cutoff: {self.name}@10, for example."
            )
        if cutoff is not None and self.cutoff is Cutoff.NEVER:
            raise ValueError(f"{self.name} has no cutoff.")
        if cutoff is not None and cutoff < 1:
            raise ValueError(f"{self.name}@{cutoff}: a cutoff is a rank, from 1.")
        if level is not None and not self.reads_level:
            raise ValueError(
                f"{self.name} has no level: it reads the grades themselves."
            )
        if level is not None and level < 1:
            raise ValueError(f"{self.name}(level={level}): a level is a grade above 0.")
        return Measure(self, cutoff, level)


@dataclass(frozen=True)
class Measure:
    """One column of a table of scores; its text is its identity. Without a level it takes the campaign's."""

    family: Family
    cutoff: int | None = None
    level: int | None = None

    def __str__(self) -> str:
        level = "" if self.level is None else f"(level={self.level})"
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.family.name}{level}{cutoff}"

    @property
    def trec_eval(self) -> str:
        """The name trec_eval prints, where its `-l` is this measure's level; empty when it has no such measure."""
        if self.cutoff is None:
            return self.family.trec_eval
        return (
            f"{self.family.trec_eval_cut}_{self.cutoff}"
            if self.family.trec_eval_cut
            else ""
        )

    @property
    def reads_to(self) -> int:
        """The last rank read."""
        return NO_CUTOFF if self.cutoff is None else self.cutoff
