"""Practice: known answers as lines of a file, and how first answers agree with them."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from statistics import mean
from typing import NamedTuple, Self

from cleverdon.trec.docnos import MAX_DOCNO
from cleverdon.trec.streams import FormatError, has_lone_cr, readable

MOST_DOCUMENTS = 100
MOST_LINES = 10 * MOST_DOCUMENTS  # of a longer file, lines are not looked at one by one
LONGEST_EXPLANATION = 2000  # characters
A_LINE = "Write a docno, a tab, its grade, a tab, and why it has that grade."


class Known(NamedTuple):
    """A document whose grade is known, and why it has that grade."""

    docno: str
    grade: int
    explanation: str = ""


def read_known(text: str) -> tuple[dict[int, Known], list[FormatError]]:
    r"""Return the known answers by line number, and the faults of the other lines.

    >>> known, [fault] = read_known("d1\t2\tIt says how.\n\nd2 no")
    >>> known
    {1: Known(docno='d1', grade=2, explanation='It says how.')}
    >>> str(fault)
    'Line 3: “no” is not a grade: write a whole number.'
    """
    known, faults = dict[int, Known](), list[FormatError]()
    lines = dict[str, int]()  # of each docno the first
    filled = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(filled) > MOST_LINES:
        return {}, [_too_many(len(filled))]
    for number, line in filled:
        try:
            each = _known(number, line)
        except FormatError as fault:
            faults.append(fault)
            continue
        first = lines.setdefault(each.docno, number)
        if first != number:
            faults.append(FormatError(number, f"{each.docno} is in line {first} already."))
        else:
            known[number] = each
    if len(known) > MOST_DOCUMENTS:
        faults.append(_too_many(len(known)))
    return known, faults


def _too_many(n: int) -> FormatError:
    sentence = f"These are {n:,} documents; practice has at most {MOST_DOCUMENTS}."
    return FormatError(None, sentence)


def _known(number: int, line: str) -> Known:
    """Read one line; any blanks separate columns, as nobody can type a tab into a field."""
    if has_lone_cr(line):
        raise FormatError(number, "It holds a CR without LF.")
    docno, *rest = line.strip().split(None, 2)
    if not rest:
        raise FormatError(number, A_LINE)
    if len(docno.encode()) > MAX_DOCNO:
        raise FormatError(number, f"The docno is longer than {MAX_DOCNO} bytes.")
    grade = rest[0].replace("\N{MINUS SIGN}", "-")
    if not re.fullmatch(r"-?\d{1,2}", grade, re.ASCII):
        text = readable(rest[0][:20])
        raise FormatError(number, f"“{text}” is not a grade: write a whole number.")
    explanation = " ".join(rest[1:])
    if len(explanation) > LONGEST_EXPLANATION:
        length, limit = len(explanation), LONGEST_EXPLANATION
        sentence = f"The explanation has {length:,} characters; the limit is {limit:,}."
        raise FormatError(number, sentence)
    return Known(docno, int(grade), explanation)


def written(known: Iterable[Known]) -> str:
    r"""Return known answers as the lines that `read_known` reads.

    >>> written([Known("d1", 2, "It says how."), Known("d2", 0)])
    'd1\t2\tIt says how.\nd2\t0'
    """
    return "\n".join(f"{each.docno}\t{each.grade}\t{each.explanation}".rstrip() for each in known)


class Practiced(NamedTuple):
    """Somebody's answers to a document; a grade of None is "cannot judge".

    `grade` is the first one, the only one that counts; `known` the known grade at that time.
    """

    grade: int | None
    known: int
    at: datetime | None = None
    last: int | None = None
    n_tries: int = 1

    @property
    def agrees(self) -> bool:
        return self.grade == self.known

    def again(self, grade: int | None) -> Self:
        return self._replace(last=grade, n_tries=self.n_tries + 1)


class Accuracy(NamedTuple):
    """First answers against known grades; `mean_difference` is positive for higher grades."""

    answered: int
    right: int
    off_by_one: int  # step of the scale
    cannot_judge: int
    mean_difference: float | None


def accuracy_of(answers: Iterable[Practiced], scale: Iterable[int]) -> Accuracy:
    """Return how first answers agree with the known grades, on a scale of these values.

    "Cannot judge" counts as answered but in no difference. A grade that the scale no longer has
    keeps its place among the others.

    >>> accuracy_of([Practiced(2, 2), Practiced(0, 1), Practiced(None, 3)], [0, 1, 2, 3])
    Accuracy(answered=3, right=1, off_by_one=1, cannot_judge=1, mean_difference=-0.5)
    """
    answers = list(answers)
    pairs = [(each.grade, each.known) for each in answers if each.grade is not None]
    grades = sorted({*scale, *(grade for pair in pairs for grade in pair)})
    place: Mapping[int, int] = {grade: n for n, grade in enumerate(grades)}
    steps = [abs(place[grade] - place[known]) for grade, known in pairs]
    return Accuracy(
        answered=len(answers),
        right=steps.count(0),
        off_by_one=steps.count(1),
        cannot_judge=len(answers) - len(pairs),
        mean_difference=mean(grade - known for grade, known in pairs) if pairs else None,
    )
