"""Criteria asked of an item, such as relevance and credibility, each with its scale of answers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Self

from campaigns.core.grades import Grade, Scale

# The kinds of items that can be judged.
DOCUMENT = "document"
KINDS = [DOCUMENT]
# The first criterion of a kind gives the grade: in the answers of a judgment it has this key, the
# others have their names.
GRADE = "grade"
FIRST = "The first criterion is the grade of documents: it has a level, and no other has one."
MOST_CRITERIA = 6  # beside the first one
MAX_NAME_LENGTH = 30
MAX_LABEL_LENGTH, MAX_TEXT_LENGTH = 60, 300
NAME = re.compile(rf"[a-z][a-z0-9_-]{{0,{MAX_NAME_LENGTH - 1}}}", re.ASCII)
NAMING = (
    "A name has lower-case letters, digits, - and _, begins with a letter, and has at most "
    f"{MAX_NAME_LENGTH} characters."
)
TOO_MANY = f"At most {MOST_CRITERIA} criteria: each is a key more for every document."


@dataclass(frozen=True)
class Criterion:
    """A criterion with its question and its answers, in ascending order. ValueError if invalid.

    It is asked of each item of its kind with a grade, or only from `from_grade` up; of none if
    retired. The first one about documents has the level, from which grade they are relevant.
    """

    name: str
    question: str
    answers: tuple[Grade, ...]
    from_grade: int | None = None
    is_retired: bool = False
    kind: str = DOCUMENT
    level: int | None = None

    def __post_init__(self) -> None:
        if len(self.answers) < 2:
            raise ValueError(f"{self.name} needs at least two answers.")
        if len(self.fixed) < len(self.answers):
            raise ValueError(f"Two answers of {self.name} have the same value.")
        if self.level is not None:
            Scale(self.answers, self.level)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        answers = tuple(sorted(Grade(**answer) for answer in stored["answers"]))
        return cls(**{**stored, "answers": answers})

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "answers": [each._asdict() for each in self.answers]}

    @property
    def fixed(self) -> dict[int, str]:
        """Labels by value, on which judgments rely. Descriptions may be corrected."""
        return {answer.value: answer.label for answer in self.answers}

    @property
    def scale(self) -> Scale:
        """Its answers as grades. Raises BadLevel if it has no level."""
        return Scale(self.answers, self.level or 0)

    def applies_to(self, grade: int | None) -> bool:
        """Return whether it is asked of an item of its kind with this grade.

        >>> trust = Criterion("trust", "", (Grade(0, "no"), Grade(1, "yes")), from_grade=1)
        >>> trust.applies_to(1), trust.applies_to(0), trust.applies_to(None)
        (True, False, False)
        """
        if grade is None or self.is_retired:
            return False
        return self.from_grade is None or grade >= self.from_grade


def criteria_of(stored: Iterable[Mapping[str, Any]]) -> tuple[Criterion, ...]:
    return tuple(map(Criterion.from_json, stored))


def first_of_kinds(criteria: Sequence[Criterion]) -> dict[str, Criterion]:
    """Return by kind the criterion whose answer is the grade."""
    return {each.kind: each for each in reversed(criteria)}


def scale_of(stored: Iterable[Mapping[str, Any]]) -> Scale:
    """Return the scale of documents: that of the first criterion about them."""
    return first_of_kinds(criteria_of(stored))[DOCUMENT].scale


def key_of(criterion: Criterion, criteria: Sequence[Criterion]) -> str:
    """Return the key of the answers to one of these criteria.

    >>> yes_no = (Grade(0, "no"), Grade(1, "yes"))
    >>> both = [Criterion(name, "", yes_no) for name in ("relevance", "trust")]
    >>> [key_of(each, both) for each in both]
    ['grade', 'trust']
    """
    return GRADE if criterion is first_of_kinds(criteria)[criterion.kind] else criterion.name


def check_name(name: str) -> None:
    """Raise ValueError for what is no name of a criterion."""
    if not NAME.fullmatch(name):
        raise ValueError(NAMING)
    if name == GRADE:
        raise ValueError("The grade itself has this name.")


class Misfit(NamedTuple):
    """What does not fit of a criterion beside others: its place, its field or "", and why."""

    at: int
    field: str
    sentence: str


def misfits(criteria: Sequence[Mapping[str, Any]]) -> Iterator[Misfit]:
    """Yield what does not fit of criteria together, as they are stored; what is not said fits."""
    scales, names = dict[str, list[int]](), set[str]()
    for at, its in enumerate(criteria):
        kind, name = its.get("kind", DOCUMENT), its.get("name")
        values = [answer["value"] for answer in its.get("answers", ())]
        if name in names:
            yield Misfit(at, "name", f"Another criterion has the name {name}.")
        names |= {name} if name else set()
        faults = _of_other(its, values, scales[kind]) if kind in scales else _of_first(its)
        yield from (Misfit(at, *each) for each in faults)
        is_grade = kind == DOCUMENT and its.get("level", 0) is not None
        if not is_grade if at == 0 else its.get("level") is not None:
            yield Misfit(at, "level", FIRST)
        scales.setdefault(kind, values)
    if sum(not its.get("is_retired") for its in criteria) > MOST_CRITERIA + 1:
        yield Misfit(len(criteria) - 1, "", TOO_MANY)


def _of_first(its: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    is_asked = {
        "from_grade": its.get("from_grade") is None,
        "is_retired": not its.get("is_retired"),
    }
    for name in (name for name, is_always in is_asked.items() if not is_always):
        yield name, "It gives the grade, so it is always asked."


def _of_other(
    its: Mapping[str, Any], values: Sequence[int], scale: Sequence[int]
) -> Iterator[tuple[str, str]]:
    if min(values, default=0) < 0:
        yield "answers", "Only the first criterion, the grade, has values below 0."
    lowest = its.get("from_grade")
    if scale and lowest is not None and lowest not in scale:
        yield "from_grade", f"It is not a grade of the scale: {', '.join(map(str, scale))}."
