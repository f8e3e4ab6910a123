"""The true grades of the example campaign, from the patterns in `true_grades.txt`."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from cleverdon.trec.topics import TopicRecord
from demo.core.collection import Docstring

PATTERNS = Path(__file__).with_name("true_grades.txt")
LINE = re.compile(r"\s*(\S+)\s+([0-3])\s+(docno|text)\s+(.+)")
LETTER = re.compile(r"(?<!\\)[A-Z]")  # but not of a class such as \S


class GradePattern(NamedTuple):
    """One line of the file: the documents that match `expression` have `grade`."""

    grade: int
    field: str
    expression: re.Pattern[str]

    def matches(self, document: Docstring, line: str) -> bool:
        """Tell whether a document matches; `line` is its `line_of`."""
        if self.field == "docno":
            return self.expression.fullmatch(document.docno) is not None
        return self.expression.search(line) is not None


def read_patterns(lines: Iterable[str]) -> dict[str, list[GradePattern]]:
    """Return the patterns of each topic from lines `topic grade field pattern`.

    Blank lines and comments (`#`) are skipped. ValueError with its number for a malformed line.
    """
    by_topic: dict[str, list[GradePattern]] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            columns = LINE.fullmatch(line.rstrip())
            if not columns:
                raise ValueError(
                    f"Line {number}: expected topic, grade 0 to 3, docno or text, and a pattern."
                )
            topic, grade, field, text = columns.groups()
            if field == "text":
                text = LETTER.sub(lambda letter: letter[0].lower(), text)
            pattern = GradePattern(int(grade), field, re.compile(text))
            by_topic.setdefault(topic, []).append(pattern)
    return by_topic


def true_grades(
    documents: Sequence[Docstring], topics: Sequence[TopicRecord]
) -> dict[str, dict[str, int]]:
    """Return, per topic number, the grade 1 to 3 of each relevant docno; others have grade 0.

    Grades depend on documents and patterns alone, never on a run. KeyError for a topic without
    patterns.
    """
    by_topic = read_patterns(PATTERNS.read_text("utf-8").splitlines())
    lines = [line_of(document) for document in documents]
    return {
        topic.number: topic_grades(documents, lines, by_topic[topic.number]) for topic in topics
    }


def line_of(document: Docstring) -> str:
    """Return docno, title and text on one line in lower case, for patterns of `text`."""
    return " ".join(" ".join(document).lower().split())


def topic_grades(
    documents: Sequence[Docstring], lines: Sequence[str], patterns: Sequence[GradePattern]
) -> dict[str, int]:
    """Return the grades above 0 of one topic, by the first pattern that matches a document."""
    grades: dict[str, int] = {}
    named, worded = (either(patterns, field) for field in ("docno", "text"))
    for document, line in zip(documents, lines, strict=True):
        # Most documents match nothing, which two searches find sooner than all patterns.
        if not (named.fullmatch(document.docno) or worded.search(line)):
            continue
        matching = (p.grade for p in patterns if p.matches(document, line))
        if grade := next(matching, 0):
            grades[document.docno] = grade
    return grades


def either(patterns: Sequence[GradePattern], field: str) -> re.Pattern[str]:
    """Return an expression that matches what any pattern of the field does, or nothing."""
    of_field = [pattern.expression for pattern in patterns if pattern.field == field]
    alternatives = [f"(?:{expression.pattern})" for expression in of_field]
    return re.compile("|".join(alternatives or ["(?!)"]))
