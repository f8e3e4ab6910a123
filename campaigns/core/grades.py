"""A scale of grades: which grades an assessor may give, and from which one a document counts as relevant."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

# One digit key gives a grade, after a minus sign for those below 0 (spam, as in the Web tracks of TREC).
MIN_GRADE, MAX_GRADE = -2, 9


class Grade(NamedTuple):
    """One step of a scale."""

    value: int
    label: str
    description: str = ""


class BadLevel(ValueError):
    """The grades are a scale, but the level does not divide them."""


@dataclass(frozen=True)
class Scale:
    """Grades in ascending order, and the lowest one that counts as relevant. ValueError if they are not a valid scale."""

    grades: tuple[Grade, ...]
    level: int

    def __post_init__(self) -> None:
        values = [grade.value for grade in self.grades]
        if len(values) < 2:
            raise ValueError("A scale needs at least two grades.")
        if len(set(values)) < len(values):
            raise ValueError("Two grades of the scale have the same value.")
        if min(values) < MIN_GRADE or max(values) > MAX_GRADE:
            raise ValueError(f"A grade is from {MIN_GRADE} to {MAX_GRADE}.")
        if not all(grade.label.strip() for grade in self.grades):
            raise ValueError("Every grade needs a label.")
        self._check_level(values)

    def _check_level(self, values: list[int]) -> None:
        if self.level < 1:
            raise BadLevel(
                "A document is relevant from grade 1 at the lowest: measures give no gain to a grade of 0 or less."
            )
        if not min(values) < self.level <= max(values):
            raise BadLevel(
                f"Relevant from grade {self.level} does not fit this scale, whose grades are {_listed(values)}: "
                "at least one grade must be below it, and one at or above it."
            )

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        grades = sorted(Grade(**grade) for grade in stored["grades"])
        return cls(tuple(grades), stored["level"])

    def to_json(self) -> dict[str, Any]:
        return {"grades": [grade._asdict() for grade in self.grades], "level": self.level}

    @property
    def fixed(self) -> dict[int, str]:
        """What judgments rely on: labels by value. Descriptions may be corrected."""
        return {grade.value: grade.label for grade in self.grades}

    @property
    def digest(self) -> str:
        """A short name of the values and labels, by which a page says which scale it showed."""
        return hashlib.sha256(repr(self.fixed).encode()).hexdigest()[:12]

    def has(self, value: int | None) -> bool:
        return any(grade.value == value for grade in self.grades)

    def label_of(self, value: int) -> str:
        if value not in self.fixed:
            raise ValueError(f"{value} is not a grade of this scale.")
        return self.fixed[value]


def _listed(values: list[int]) -> str:
    return ", ".join(map(str, sorted(values)))
