"""Measures, and families of measures that differ only in level, cutoff and parameters."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from math import inf
from typing import Any

from cleverdon.trec.arrays import Floats, Integers

ParameterValue = bool | int | float | str | tuple[tuple[int, float], ...]
Arguments = tuple[tuple[str, ParameterValue], ...]

# The largest number in a measure's name: no sum or square of such numbers overflows.
LARGEST = 1e50


class Cutoff(StrEnum):
    """Whether a measure's name has a cutoff."""

    NEVER = "never"
    OPTIONAL = "optional"
    ALWAYS = "always"


class Aggregation(StrEnum):
    """How the values of topics are aggregated."""

    MEAN = "mean"
    SUM = "sum"
    GEOMETRIC = "geometric mean"
    MICRO = "mean over all documents"


class Input(StrEnum):
    """What a measure reads."""

    GRADES = "grades"
    ASSESSORS = "grades by assessor"
    STRATA = "strata of the sample"
    SUBTOPICS = "subtopics"
    PREFERENCES = "preferences"


class Best(StrEnum):
    """Which value is the best; NONE for a measure that does not say how good a run is."""

    HIGHEST = "highest"
    LOWEST = "lowest"
    NONE = "none"


# Returns a value for each ranking, from evidence already cut and the parameters by name.
Formula = Callable[..., Floats | Integers]


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A parameter in a family's names; `follows_at` puts it after @.

    Without a default it must be given, unless it is `optional`.
    """

    name: str
    meaning: str
    kind: type = float
    default: ParameterValue | None = None
    optional: bool = False
    allowed: Callable[[Any], bool] = lambda _: True
    follows_at: bool = False

    @property
    def is_needed(self) -> bool:
        return self.default is None and not self.optional

    def checked(self, value: ParameterValue) -> ParameterValue:
        """Return the value, as a float for a float parameter; ValueError when it is not allowed."""
        if self.kind is float and type(value) is int:
            value = float(value)
        numbers = [gain for _, gain in value] if isinstance(value, tuple) else [value]
        if any(isinstance(n, float) and abs(n) > LARGEST for n in numbers):
            raise ValueError(f"{self.name}={shown(value)}: it is too large: at most {LARGEST:g}.")
        if not isinstance(value, self.kind) or not self._allows(value):
            raise ValueError(f"{self.name}={shown(value)}: it must be {self.meaning}.")
        return value

    def _allows(self, value: ParameterValue) -> bool:
        try:
            return self.allowed(value)
        except ValueError:
            return False


@dataclass(frozen=True)
class Spelling:
    """How trec_eval writes measures: `name`, then `_` and what `carries` names.

    `carries` is empty, "cutoff", or a parameter's name. With a `layout` of None the text is kept as
    given.
    """

    name: str
    carries: str = ""
    layout: str | None = "{}"
    fixed: Arguments = ()


@dataclass(frozen=True)
class Family:
    """What measures of one name share.

    The `denominator` is what a micro-averaged value was divided by. `history` quotes comments in
    trec_eval's source.
    """

    name: str
    formula: Formula
    definition: str
    source: str
    _: KW_ONLY
    history: str = ""
    spellings: tuple[Spelling, ...] = ()
    cutoff: Cutoff = Cutoff.NEVER
    parameters: tuple[Parameter, ...] = ()
    reads_level: bool = True
    unit: str = "0 to 1"
    aggregation: Aggregation = Aggregation.MEAN
    denominator: Formula | None = None
    reads: Input = Input.GRADES
    best: Best = Best.HIGHEST

    @property
    def is_count(self) -> bool:
        return self.unit == "count"

    @property
    def range(self) -> tuple[float, float]:
        """The least and the most that a value can be."""
        least = -inf if self.unit == "any number" else 0.0
        return least, 1.0 if self.unit == "0 to 1" else inf

    def measure(
        self,
        *,
        cutoff: int | None = None,
        level: int | None = None,
        judged_only: bool = False,
        **parameters: ParameterValue | None,
    ) -> "Measure":
        """Return a measure; ValueError for a cutoff, level or parameter it cannot have."""
        self._check_cutoff(cutoff)
        if level is not None and not self.reads_level:
            raise ValueError(f"{self.name} has no level: it reads the grades themselves.")
        if level is not None and level < 1:
            raise ValueError(f"{self.name}(level={level}): a level is a grade above 0.")
        given = {name: value for name, value in parameters.items() if value is not None}
        return Measure(self, cutoff, level, judged_only, self._checked(given))

    def _check_cutoff(self, cutoff: int | None) -> None:
        if cutoff is None and self.cutoff is Cutoff.ALWAYS:
            raise ValueError(f"{self.name} needs a cutoff: {self.name}@10, for example.")
        if cutoff is not None and self.cutoff is Cutoff.NEVER:
            raise ValueError(f"{self.name} has no cutoff.")
        if cutoff is not None and cutoff < 1:
            raise ValueError(f"{self.name}@{cutoff}: a cutoff is a rank, from 1.")

    def _checked(self, given: Mapping[str, ParameterValue]) -> Arguments:
        """Return the parameters given that differ from their defaults, in the family's order."""
        if unknown := sorted(set(given) - {parameter.name for parameter in self.parameters}):
            raise ValueError(f"{self.name} has no parameter {unknown[0]}.")
        for parameter in self.parameters:
            if parameter.is_needed and parameter.name not in given:
                raise ValueError(f"{self.name} needs {parameter.name}: {parameter.meaning}.")
        checked = [(p, p.checked(given[p.name])) for p in self.parameters if p.name in given]
        return tuple((p.name, value) for p, value in checked if value != p.default)


@dataclass(frozen=True)
class Measure:
    """One column of a table of scores, identified by its text.

    Without a level it uses the campaign's. `parameters` are those that differ from their defaults.
    """

    family: Family
    cutoff: int | None = None
    level: int | None = None
    judged_only: bool = False
    parameters: Arguments = ()

    def __str__(self) -> str:
        at = {p.name for p in self.family.parameters if p.follows_at}
        inside = [f"{n}={shown(v)}" for n, v in self.parameters if n not in at]
        if self.level is not None:
            inside.append(f"level={self.level}")
        if self.judged_only:
            inside.append("judged_only=True")
        after = [f"@{shown(v)}" for n, v in self.parameters if n in at]
        if self.cutoff is not None:
            after.append(f"@{self.cutoff}")
        arguments = f"({','.join(inside)})" if inside else ""
        return "".join([self.family.name, arguments, *after])

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def arguments(self) -> dict[str, ParameterValue]:
        """Every parameter with its value, by name, for the formula."""
        parameters = self.family.parameters
        defaults = {p.name: p.default for p in parameters if p.default is not None}
        return {**defaults, **dict(self.parameters)}

    @property
    def trec_eval(self) -> str:
        """The name that trec_eval prints, its `-l` being our level; empty when it has none."""
        if self.judged_only:
            return ""
        names = (_spelled(self, spelling) for spelling in self.family.spellings)
        return next((name for name in names if name), "")


def _spelled(measure: Measure, spelling: Spelling) -> str:
    """Return the measure in one of trec_eval's spellings, empty when it cannot be written so."""
    left = dict(measure.parameters)
    for name, value in spelling.fixed:
        if left.pop(name, None) != value:
            return ""
    if spelling.carries == "cutoff":
        return f"{spelling.name}_{measure.cutoff}" if measure.cutoff and not left else ""
    if measure.cutoff is not None:
        return ""
    given = left.pop(spelling.carries) if spelling.carries in left else None
    if left or (given is None and spelling.carries and spelling.layout is not None):
        return ""
    if given is None:
        return spelling.name
    as_given = shown(given).strip("'{}").replace(":", "=")
    text = as_given if spelling.layout is None else spelling.layout.format(given)
    return f"{spelling.name}_{text}"


def number(value: float) -> str:
    """Return the shortest decimal that reads back as the same number.

    >>> number(1.0), number(0.05)
    ('1', '0.05')
    """
    is_short = value.is_integer() and abs(value) < 1e15
    return str(int(value)) if is_short else repr(value)


def shown(value: ParameterValue) -> str:
    """Write a value as in a measure's name."""
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, tuple):
        return "{" + ",".join(f"{grade}:{number(gain)}" for grade, gain in value) + "}"
    return number(value) if isinstance(value, float) else str(value)
