"""Grade strips: the answer to each document of a topic, and how many have each grade."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from assess.models.assigning import Assignment
from assess.models.serving import BEFORE, GIVEN_UP, AssignmentEntry, AssignmentEntryQuerySet
from campaigns.core.grades import Scale
from cleverdon.pictures.markup import Drawn
from cleverdon.pictures.strips import IMPOSSIBLE, LATER, OTHERS, Mark, grade_blocks, grade_strip
from cleverdon.trec.words import counted

MARKS: dict[str, Mark] = {"later": LATER, "cannot_judge": IMPOSSIBLE, BEFORE: OTHERS}
NAMES = {
    "later": "for later",
    "cannot_judge": "cannot be judged",
    "reopened": "to be judged again",
    BEFORE: "judged before",
    "unjudged": "open",
    GIVEN_UP: "left to others",
}
# With more documents the bars are too narrow to point at.
POINTED_AT = 150
# With more documents each grade has one bar, as wide as it has documents.
MOST_MARKS = 500
LARGE, SMALL = 44, 24


# Of the documents of an assignment in the order served, or of many how many have each.
Marks = Sequence[str] | Mapping[str, int]


class Count(NamedTuple):
    """How many documents have a grade, or a state with a `grade` of None."""

    grade: int | None
    name: str
    n: int


class Strip(NamedTuple):
    """The bars of a topic's documents in the order served, and how many have each grade."""

    picture: Drawn
    counts: list[Count]


def marks_of(
    entries: AssignmentEntryQuerySet, assignments: Iterable[Assignment], *, blind: bool
) -> dict[int, Marks]:
    """Return by assignment the marks of its documents, of many only how many have each."""
    few, many = list[Assignment](), list[Assignment]()
    for each in assignments:
        (many if each.n_entries > MOST_MARKS else few).append(each)
    return {**entries.marks(few, blind=blind), **entries.n_by_mark(many, blind=blind)}


def strip_of(marks: Marks, scale: Scale, *, is_large: bool = False, at: str = "") -> Strip:
    """Draw a strip; if `at` is the judging page, not too many bars link to their documents."""
    found, height = Counter(marks), LARGE if is_large else SMALL
    counts = [
        Count(grade.value, grade.label, found.get(str(grade.value), 0)) for grade in scale.grades
    ]
    counts += [Count(None, name, found[state]) for state, name in NAMES.items() if state in found]
    shape = {"highest": scale.grades[-1].value, "lowest": scale.grades[0].value, "height": height}
    if isinstance(marks, Mapping):
        blocks = [(_mark(mark), n) for mark, n in sorted(marks.items(), key=_in_order)]
        sentence = _sentence(found.total(), counts)
        return Strip(grade_blocks(blocks, **shape, sentence=f"{sentence}."), counts)
    is_pointed_at = bool(at) and len(marks) <= POINTED_AT
    picture = grade_strip(
        [_mark(mark) for mark in marks],
        **shape,
        sentence=f"{_sentence(len(marks), counts, ' in the order of judging')}.",
        hrefs=[f"{at}?number={n}" for n in range(1, len(marks) + 1)] if is_pointed_at else [],
        titles=[f"Document {n:,}: {_said(mark, scale)}" for n, mark in enumerate(marks, 1)]
        if is_pointed_at
        else [],
    )
    return Strip(picture, counts)


def _mark(mark: str) -> Mark:
    return int(mark) if mark.lstrip("-").isdigit() else MARKS.get(mark)


def _said(mark: str, scale: Scale) -> str:
    return NAMES.get(mark) or f"{mark} {scale.fixed.get(int(mark), '')}".strip()


def _in_order(counted: tuple[str, int]) -> tuple[bool, int, str]:
    """Sort grades before states, the highest first."""
    mark, _ = counted
    grade = _mark(mark) if mark not in NAMES else None
    return grade is None, -int(grade or 0), mark


def _sentence(n: int, counts: Sequence[Count], order: str = "") -> str:
    parts = [
        f"{each.n:,} {each.name if each.grade is None else f'with grade {each.grade}'}"
        for each in counts
        if each.n
    ]
    return f"{counted(n, 'document')}{order}: {', '.join(parts)}"


def whole_strip(assignment: Assignment, scale: Scale, *, blind: bool, at: str = "") -> Strip:
    """Draw all documents of an assignment, with controls if `blind` as in `marks`."""
    entries = AssignmentEntry.objects.all() if blind else AssignmentEntry.objects.counting()
    marks = marks_of(entries, [assignment], blind=blind)
    return strip_of(marks.get(assignment.pk, []), scale, is_large=True, at=at)


def n_by_state(assignment: Assignment) -> dict[str, int]:
    """Return how many documents are in each state of the filter; "" is all."""
    return {
        "": assignment.n_entries,
        "unjudged": assignment.n_open - assignment.n_later,
        "judged": assignment.n_judged,
        "later": assignment.n_put_off,
        "cannot_judge": assignment.n_cannot_judge,
        "reopened": assignment.n_reopened,
    }
