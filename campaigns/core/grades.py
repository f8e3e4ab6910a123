"""A scale of grades: those an assessor may give, and from which one a document is relevant."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from cleverdon.trec.streams import lines_of
from cleverdon.trec.versions import version

# A grade is one digit key, after a minus sign if below 0 (spam, as in TREC's Web tracks).
MIN_GRADE, MAX_GRADE = -2, 9


class Grade(NamedTuple):
    """A grade of a scale, with its label."""

    value: int
    label: str
    description: str = ""


class BadLevel(ValueError):
    """The grades are valid, but the level does not separate them."""


class BadGrades(ValueError):
    """The text is no list of grades; the sentence names the line."""


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

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        grades = sorted(Grade(**grade) for grade in stored["grades"])
        return cls(tuple(grades), stored["level"])

    def to_json(self) -> dict[str, Any]:
        return {"grades": [grade._asdict() for grade in self.grades], "level": self.level}

    @property
    def fixed(self) -> dict[int, str]:
        """Labels by value, on which judgments rely. Descriptions may be corrected."""
        return {grade.value: grade.label for grade in self.grades}

    @property
    def version(self) -> str:
        """The version of values and labels."""
        return version(self.fixed)

    def has(self, value: int | None) -> bool:
        return any(grade.value == value for grade in self.grades)


def written_grades(grades: Iterable[Mapping[str, Any]]) -> str:
    """Return stored grades in the lines that `read_grades` reads."""
    return "\n".join(
        f"{each['value']} | {each['label']} | {each['description']}" for each in grades
    )


def read_grades(text: str) -> list[Grade]:
    r"""Return the grades written in a text, one in each line. Raises BadGrades.

    >>> read_grades("0 | not relevant\n1 | relevant | Answers it.")[1].description
    'Answers it.'
    """
    lines = [line for line in lines_of(text) if line.strip()]
    return [_read_grade(number, line) for number, line in enumerate(lines, 1)]


def _read_grade(number: int, line: str) -> Grade:
    value, _, rest = line.partition("|")
    label, _, description = rest.partition("|")
    # A minus sign as word processors write it means the same.
    value = value.strip().replace("\N{MINUS SIGN}", "-")
    if not re.fullmatch(r"-?\d{1,9}", value, re.ASCII) or not label.strip():
        raise BadGrades(
            f"Line {number}: write a whole number from {MIN_GRADE} to {MAX_GRADE}, |, a label, |, "
            "a description."
        )
    return Grade(int(value), label.strip(), description.strip())
