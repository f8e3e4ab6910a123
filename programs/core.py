"""Labels of programs, read from a file; a verdict that is no grade of the scale is kept as such."""

import csv
import io
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from cleverdon.trec.cells import restored
from cleverdon.trec.recognize import BEGINNING
from cleverdon.trec.signatures import not_a_table
from cleverdon.trec.streams import FormatError, brief, decoded, is_readable, lines_of

MOST_VERDICT = 200
COLUMNS = ("topic", "docno", "grade", "confidence")
WHAT_A_LINE_HAS = "A line has a topic, a docno, a grade and, if there is one, a confidence."
IS_A_NUMBER = re.compile(r"[+-]?[0-9]{1,4}")


class Verdict(NamedTuple):
    """What a program says of a document; `place` is the line or the place in a list, from 1."""

    place: int
    topic: str
    docno: str
    verdict: str
    confidence: float | None = None


class LabelRecord(NamedTuple):
    """A label as the file of labels has it."""

    topic: str
    docno: str
    grade: int | None
    verdict: str
    confidence: float | None
    document_version: int
    received_at: datetime


def grade_of(verdict: str, grades: Collection[int]) -> int | None:
    """Return the grade of the scale that a verdict is; None for any other, which is no grade.

    >>> grade_of("2", [0, 1, 2]), grade_of("3", [0, 1, 2]), grade_of("2.0", [0, 1, 2])
    (2, None, None)
    """
    grade = int(verdict) if IS_A_NUMBER.fullmatch(verdict) else None
    return grade if grade in grades else None


def read_labels(content: bytes) -> tuple[list[Verdict], list[FormatError]]:
    r"""Return the labels of a file, and the faults of its other lines.

    A line has topic, docno, grade and, if there is one, confidence, between white space. CSV whose
    first line names these columns may have verdicts of several words.

    >>> read_labels(b"1 d1 2 0.9\n")
    ([Verdict(place=1, topic='1', docno='d1', verdict='2', confidence=0.9)], [])
    >>> labels, [fault] = read_labels(b"topic,docno,grade\n1,d1,not sure\n1,d2\n")
    >>> labels[0].verdict, str(fault)
    ('not sure', 'Line 3: A line has a topic, a docno, a grade and, if there is one, a confidence.')
    """
    if other := not_a_table(content[:BEGINNING]):
        return [], [FormatError(None, other)]
    try:
        text = decoded(content).removeprefix("\ufeff")
    except FormatError as error:
        return [], [error]
    labels, faults = list[Verdict](), list[FormatError]()
    try:
        for line, cells in _rows(text):
            try:
                labels.append(_label(line, cells))
            except FormatError as fault:
                faults.append(fault)
    except FormatError as fault:
        faults.append(fault)
    if not labels and not faults:
        faults.append(FormatError(None, "The file has no labels."))
    return labels, faults


def _rows(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield what each line that has anything says, in the order of COLUMNS, with its number."""
    lines = lines_of(text)
    first = lines[0]
    names = [each.strip().lower() for each in next(csv.reader([first]), [])]
    if set(COLUMNS[:3]).issubset(names):
        table = io.StringIO("\n".join(lines))
        yield from _of_table(names, csv.reader(table, strict=True))
        return
    if first.lower().split()[:3] == [*COLUMNS[:3]]:
        raise FormatError(1, "Without commas a file has no line that names columns: leave it out.")
    for n, line in enumerate(lines, 1):
        if cells := line.split():
            yield n, cells


def _of_table(names: Sequence[str], rows: Any) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the rows of a table; of a file of labels as the site sends it, what was said."""
    known = {*COLUMNS, *LabelRecord._fields}
    if other := next((each for each in names if each not in known or names.count(each) > 1), ""):
        columns = ", ".join(COLUMNS)
        raise FormatError(1, f"The columns are {columns}, each once, and not {brief(other)}.")
    verdict = "verdict" if "verdict" in names else "grade"
    wanted = ("topic", "docno", verdict, "confidence")
    places = [names.index(each) for each in wanted if each in names]
    next(rows)
    try:
        for cells in rows:
            if any(cells):
                fits = len(cells) == len(names)
                yield rows.line_num, [restored(cells[n].strip()) for n in places if fits]
    except csv.Error as error:
        raise FormatError(rows.line_num, f"It is no CSV: {error}.") from error


def _label(line: int, cells: Sequence[str]) -> Verdict:
    if not 3 <= len(cells) <= len(COLUMNS):
        raise FormatError(line, WHAT_A_LINE_HAS)
    topic, docno, verdict, *more = cells
    confidence = None
    if more and more[0]:
        try:
            confidence = float(more[0])
        except ValueError:
            raise FormatError(line, f"The confidence {brief(more[0])} is no number.") from None
    return Verdict(line, topic, docno, " ".join(verdict.split()), confidence)


def faults_of(
    labels: Iterable[Verdict], items: Mapping[tuple[str, str], object]
) -> list[FormatError]:
    """Return the faults of labels: of what is in no pool, twice there, or cannot be kept.

    `items` are by topic and docno.

    >>> [fault] = faults_of([Verdict(3, "9", "d1", "2")], {})
    >>> str(fault)
    'Line 3: d1 is not in the pool of topic 9.'
    """
    found, seen = [], dict[tuple[str, str], int]()
    for each in labels:
        pair = each.topic, each.docno
        if why := _why_not(each, is_pooled=pair in items, earlier=seen.get(pair)):
            found.append(FormatError(each.place, why))
        seen.setdefault(pair, each.place)
    return found


def _why_not(label: Verdict, *, is_pooled: bool, earlier: int | None) -> str:
    topic, docno, said = brief(label.topic), brief(label.docno), label.verdict
    confidence = label.confidence is None or math.isfinite(label.confidence)
    wrong = (
        (not is_pooled, f"{docno} is not in the pool of topic {topic}."),
        (earlier, f"{docno} is labelled twice for topic {topic}; it was on line {earlier or 0:,}."),
        (not said, f"{docno} has no grade: write what the program said."),
        (
            len(said) > MOST_VERDICT,
            f"What it said has {len(said):,} characters; at most {MOST_VERDICT} are kept.",
        ),
        (not is_readable(said), "What it said has characters that cannot be kept."),
        (not confidence, "The confidence is no number."),
    )
    return next((sentence for is_so, sentence in wrong if is_so), "")
