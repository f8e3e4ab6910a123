"""A scale of grades: which grades an assessor may give, and from which one a document counts as relevant."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

MAX_GRADE = 9  # a digit key gives the grade


class Grade(NamedTuple):
    """One step of a scale."""

    value: int
    label: str
    description: str = ""


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
        if min(values) < 0 or max(values) > MAX_GRADE:
            raise ValueError(
                f"A grade is from 0 to {MAX_GRADE}, so that one digit key gives it."
            )
        if not min(values) < self.level <= max(values):
            raise ValueError(
                f"Relevant from grade {self.level} makes every document alike: "
                "at least one grade must be below it, and one at or above it."
            )
        if not all(grade.label.strip() for grade in self.grades):
            raise ValueError("Every grade needs a label.")

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        grades = sorted(Grade(**grade) for grade in stored["grades"])
        return cls(tuple(grades), stored["level"])

    def to_json(self) -> dict[str, Any]:
        return {
            "grades": [grade._asdict() for grade in self.grades],
            "level": self.level,
        }

    def has(self, value: int | None) -> bool:
        return any(grade.value == value for grade in self.grades)

    def label_of(self, value: int) -> str:
        labels = {grade.value: grade.label for grade in self.grades}
        if value not in labels:
            raise ValueError(f"{value} is not a grade of this scale.")
        return labels[value]
