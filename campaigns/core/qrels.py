"""Qrels in TREC's four columns: topic, iteration, docno, grade."""

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from campaigns.core.formats import FormatError

# Some qrels have negative grades, for spam or for what was pooled and not judged.
GRADE = re.compile(r"[+-]?[0-9]{1,9}")

Qrels = dict[str, dict[str, int]]


def read_qrels(stream: BinaryIO) -> Qrels:
    """Return grades by topic and docno.

    FormatError, with the line, for what is not four columns with a whole grade, for a document
    judged twice, and for bytes that are not UTF-8.
    """
    qrels: Qrels = {}
    for line, text in enumerate(stream, 1):
        topic, docno, grade = _row(line, text)
        if docno in qrels.setdefault(topic, {}):
            raise FormatError(
                line, f"Document {docno} is judged twice for topic {topic}."
            )
        qrels[topic][docno] = grade
    return qrels


def _row(line: int, text: bytes) -> tuple[str, str, int]:
    try:
        fields = [field.decode() for field in text.split()]
    except UnicodeDecodeError as error:
        raise FormatError(line, "It is not UTF-8.") from error
    if len(fields) != 4:
        raise FormatError(
            line,
            f"It has {len(fields)} columns; qrels have four: topic, 0, docno, grade.",
        )
    topic, _, docno, grade = fields
    if not GRADE.fullmatch(grade):
        raise FormatError(line, f"The grade {grade[:60]!r} is not a whole number.")
    return topic, docno, int(grade)


def write_qrels(rows: Iterable[tuple[str, str, int]]) -> Iterator[bytes]:
    """Write (topic, docno, grade) rows as lines, sorted by topic and docno as bytes."""
    # Strings compare by code point, which is how UTF-8 orders bytes.
    for topic, docno, grade in sorted(rows):
        yield f"{topic} 0 {docno} {grade}\n".encode()
