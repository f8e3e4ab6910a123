"""Criteria asked of an item, relevance and others such as credibility, each with its scale."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from campaigns.core.grades import Grade
from cleverdon.trec.streams import lines_of

# The first criterion, with the campaign's scale of grades: its answer is the grade.
RELEVANCE = "relevance"
# The kinds of items that can be judged.
DOCUMENT = "document"
KINDS = [DOCUMENT]
MOST_CRITERIA = 6
MAX_NAME_LENGTH = 30
MAX_LABEL_LENGTH, MAX_TEXT_LENGTH = 60, 300
NAME = re.compile(rf"[a-z][a-z0-9_-]{{0,{MAX_NAME_LENGTH - 1}}}", re.ASCII)
RETIRED = "not asked"
DIGIT = re.compile(r"\d", re.ASCII)
ABOUT = re.compile(r"about ([a-z]+)", re.ASCII | re.IGNORECASE)
CONDITION = re.compile(r"(?:from )?(-?\d)", re.ASCII | re.IGNORECASE)
ANSWER = re.compile(r"-?\d")


class BadCriteria(ValueError):
    """The text is no list of criteria; the sentence names the line."""


@dataclass(frozen=True)
class Criterion:
    """A criterion with its question and its answers, in ascending order. ValueError if invalid.

    It is asked of each item of its kind with a grade, or only from `from_grade` up; of none if
    retired. One without a kind, as relevance, is asked of all.
    """

    name: str
    question: str
    answers: tuple[Grade, ...]
    from_grade: int | None = None
    is_retired: bool = False
    kind: str = DOCUMENT

    def __post_init__(self) -> None:
        if len(self.answers) < 2:
            raise ValueError(
                f"{self.name} needs at least two answers, one per line: value | label."
            )

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        answers = tuple(sorted(Grade(**answer) for answer in stored["answers"]))
        return cls(**{**stored, "answers": answers})

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "answers": [each._asdict() for each in self.answers]}

    @property
    def fixed(self) -> dict[int, str]:
        """What judgments rely on: labels by value."""
        return {answer.value: answer.label for answer in self.answers}

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


def written(criteria: Iterable[Criterion]) -> str:
    """Return criteria in the lines that `read` reads."""
    return "\n\n".join("\n".join(_lines(each)) for each in criteria)


def _lines(criterion: Criterion) -> Iterator[str]:
    parts = [criterion.name, criterion.question]
    if criterion.from_grade is not None:
        parts.append(f"from {criterion.from_grade}")
    if criterion.is_retired:
        parts.append(RETIRED)
    if criterion.kind != DOCUMENT:
        parts.append(f"about {criterion.kind}")
    yield " | ".join(parts)
    for answer in criterion.answers:
        yield " | ".join(str(part) for part in answer if part != "")


def read(text: str) -> tuple[Criterion, ...]:
    r"""Return the criteria written in a text. Raises BadCriteria.

    A line with name, question and condition begins one; the lines with its answers follow.

    >>> [trust] = read("trust | Do you trust it? | from 1\n0 | no\n1 | yes | I would act on it.")
    >>> trust.from_grade, trust.answers[1].description  # "| 1" says the same
    (1, 'I would act on it.')
    """
    drafts: list[tuple[int, dict[str, Any]]] = []
    # A minus sign as word processors write it means the same.
    lines = lines_of(text.replace("\N{MINUS SIGN}", "-"))
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line:
            continue
        if not ANSWER.match(line):
            drafts.append((number, {**_head(number, line), "answers": []}))
        elif drafts:
            drafts[-1][1]["answers"].append(_answer(number, line, drafts[-1][1]["answers"]))
        else:
            raise BadCriteria(
                f"Line {number}: an answer comes after the line with the criterion: "
                "name | question."
            )
    if len(drafts) > MOST_CRITERIA:
        raise BadCriteria(
            f"At most {MOST_CRITERIA} criteria: each is a key more for every document."
        )
    return _distinct([_made(number, draft) for number, draft in drafts])


def _head(number: int, line: str) -> dict[str, Any]:
    name, *rest = (part.strip() for part in line.split("|"))
    if not NAME.fullmatch(name):
        raise BadCriteria(
            f"Line {number}: begin with a name of lower-case letters, digits, - and _, "
            f"at most {MAX_NAME_LENGTH}; it is the name in the files."
        )
    if not rest or not rest[0]:
        raise BadCriteria(f"Line {number}: after the name {name} comes the question, after a |.")
    if len(rest[0]) > MAX_TEXT_LENGTH:
        raise BadCriteria(f"Line {number}: a question has at most {MAX_TEXT_LENGTH} characters.")
    head: dict[str, Any] = {"name": name, "question": rest[0]}
    for part in filter(None, rest[1:]):
        if condition := CONDITION.fullmatch(part):
            head["from_grade"] = int(condition[1])
        elif part.lower() == RETIRED:
            head["is_retired"] = True
        elif (about := ABOUT.fullmatch(part)) and about[1].lower() in KINDS:
            head["kind"] = about[1].lower()
        else:
            raise BadCriteria(
                f"Line {number}: after the question write “from” and a grade, or “{RETIRED}”, "
                f"not “{part}”."
            )
    return head


def _answer(number: int, line: str, others: Iterable[Grade]) -> Grade:
    value, *rest = (part.strip() for part in line.split("|", 2))
    if not rest or not rest[0]:
        raise BadCriteria(
            f"Line {number}: write an answer as value | label, with a description after another | "
            "if you like."
        )
    if not DIGIT.fullmatch(value):
        raise BadCriteria(f"Line {number}: the value of an answer is a digit, from 0 to 9.")
    if any(int(value) == other.value for other in others):
        raise BadCriteria(f"Line {number}: another answer has the value {value}.")
    if len(rest[0]) > MAX_LABEL_LENGTH or len("".join(rest[1:])) > MAX_TEXT_LENGTH:
        raise BadCriteria(
            f"Line {number}: a label has at most {MAX_LABEL_LENGTH} characters, "
            f"a description {MAX_TEXT_LENGTH}."
        )
    return Grade(int(value), *rest)


def _made(number: int, draft: dict[str, Any]) -> Criterion:
    try:
        return Criterion(**{**draft, "answers": tuple(sorted(draft["answers"]))})
    except ValueError as error:
        raise BadCriteria(f"Line {number}: {error}") from error


def _distinct(criteria: list[Criterion]) -> tuple[Criterion, ...]:
    names = [RELEVANCE, *(each.name for each in criteria)]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadCriteria(f"Two criteria have the name {twice}.")
    return tuple(criteria)
