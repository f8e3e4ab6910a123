"""The answers of the example campaign: every document's true grade for every topic."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from demo.core.collection import Document
from trec.topics import TopicRecord

ANSWERS = Path(__file__).with_name("answers.txt")
LINE = re.compile(r"\s*(\S+)\s+([0-3])\s+(docno|text)\s+(.+)")


class Rule(NamedTuple):
    """One line of the answers: the documents that match `pattern` have `grade`."""

    grade: int
    field: str
    pattern: re.Pattern[str]

    def matches(self, document: Document, line: str) -> bool:
        """Say whether the rule holds for a document; `line` is its docno, title and text on one line."""
        if self.field == "docno":
            return self.pattern.fullmatch(document.docno) is not None
        return self.pattern.search(line) is not None


def rules(lines: Iterable[str]) -> dict[str, list[Rule]]:
    """Read the answers: `topic grade field pattern` a line; blank lines and `#` lines are skipped.

    Raises ValueError with the number of a malformed line.
    """
    by_topic: dict[str, list[Rule]] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            columns = LINE.fullmatch(line.rstrip())
            if not columns:
                raise ValueError(
                    f"Line {number}: expected topic, grade 0 to 3, docno or text, and a pattern."
                )
            topic, grade, field, pattern = columns.groups()
            flags = re.IGNORECASE if field == "text" else re.NOFLAG
            rule = Rule(int(grade), field, re.compile(pattern, flags))
            by_topic.setdefault(topic, []).append(rule)
    return by_topic


def true_grades(
    documents: Sequence[Document], topics: Sequence[TopicRecord]
) -> dict[str, dict[str, int]]:
    """Return, per topic number, the grade 1 to 3 of each relevant docno; any other has grade 0.

    The grades depend on the documents and the stated rules alone, never on a run. Raises KeyError
    for a topic without rules.
    """
    answers = rules(ANSWERS.read_text("utf-8").splitlines())
    lines = [" ".join(" ".join(document).split()) for document in documents]
    return {
        topic.number: topic_grades(documents, lines, answers[topic.number])
        for topic in topics
    }


def topic_grades(
    documents: Sequence[Document], lines: Sequence[str], answers: Sequence[Rule]
) -> dict[str, int]:
    """Return the grades above 0 for one topic; the first rule that matches a document decides."""
    grades: dict[str, int] = {}
    for document, line in zip(documents, lines, strict=True):
        matching = (rule.grade for rule in answers if rule.matches(document, line))
        if grade := next(matching, 0):
            grades[document.docno] = grade
    return grades
