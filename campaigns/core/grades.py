"""A scale of grades: those an assessor may give, and from which one a document is relevant."""

from dataclasses import dataclass
from typing import NamedTuple

# A grade is one digit key, after a minus sign if below 0 (spam, as in TREC's Web tracks).
MIN_GRADE, MAX_GRADE = -2, 9


class Grade(NamedTuple):
    """A grade of a scale, with its label."""

    value: int
    label: str
    description: str = ""


class BadLevel(ValueError):
    """The grades are valid, but the level does not separate them."""


@dataclass(frozen=True)
class Scale:
    """Grades in ascending order, and the lowest relevant one. ValueError if invalid."""

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
                "A document is relevant from grade 1 at the lowest: measures give no gain to a "
                "grade of 0 or less."
            )
        if not min(values) < self.level <= max(values):
            raise BadLevel(
                f"Relevant from grade {self.level} does not fit this scale, whose grades are "
                f"{', '.join(map(str, sorted(values)))}: at least one grade must be below it, "
                "and one at or above it."
            )

    @property
    def fixed(self) -> dict[int, str]:
        """Labels by value, on which judgments rely. Descriptions may be corrected."""
        return {grade.value: grade.label for grade in self.grades}

    def has(self, value: int | None) -> bool:
        return any(grade.value == value for grade in self.grades)
