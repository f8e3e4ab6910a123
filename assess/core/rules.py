"""The qrels rules: how the judgments of a document become its one official grade."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

# (topic, docno, kind of assignment, state, grade) of a judgment.
JudgmentRow = tuple[str, str, str, str, int | None]


class OfficialGrade(NamedTuple):
    """A line of the qrels."""

    topic: str
    docno: str
    grade: int


class QrelsRule(NamedTuple):
    """`decide` returns the official grades; only judgments of assignments of these `kinds` need to be loaded for it."""

    kinds: frozenset[str]
    decide: Callable[[Iterable[JudgmentRow]], list[OfficialGrade]]


def primary_assessor(judgments: Iterable[JudgmentRow]) -> list[OfficialGrade]:
    """Return the primary assessor's grades, in byte order of topic and docno.

    A document that was put off, reopened or could not be judged has no grade and is left out.
    ValueError when a document has two primary grades, or is judged without one.
    """
    official: dict[tuple[str, str], int] = {}
    for topic, docno, kind, state, grade in judgments:
        if kind != "primary" or state != "judged":
            continue
        if grade is None:
            raise ValueError(
                f"Document {docno} is judged for topic {topic} without a grade."
            )
        if (topic, docno) in official:
            raise ValueError(
                f"Document {docno} has two primary grades for topic {topic}."
            )
        official[topic, docno] = grade
    return [OfficialGrade(*pair, official[pair]) for pair in sorted(official)]


QRELS_RULES: Mapping[str, QrelsRule] = {
    "primary": QrelsRule(frozenset({"primary"}), primary_assessor)
}
