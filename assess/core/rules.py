"""The qrels rules: how the judgments of a document become its one official grade."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

JUDGED = "judged"

# (topic, docno, kind of assignment, state, grade) of a judgment.
Given = tuple[str, str, str, str, int | None]


class OfficialGrade(NamedTuple):
    """A line of the qrels."""

    topic: str
    docno: str
    grade: int


class Rule(NamedTuple):
    """`decide` makes the official grades; `kinds` are the assignments it reads, so that no others need be loaded."""

    kinds: frozenset[str]
    decide: Callable[[Iterable[Given]], list[OfficialGrade]]


def primary_assessor(judgments: Iterable[Given]) -> list[OfficialGrade]:
    """Return the primary assessor's grades, in byte order of topic and docno.

    Only state "judged" gives a grade: a document put off, reopened or impossible to judge is unjudged, and left out.
    ValueError when a document has two primary grades, or is judged without one.
    """
    official: dict[tuple[str, str], int] = {}
    for topic, docno, kind, state, grade in judgments:
        if kind != "primary" or state != JUDGED:
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


RULES: Mapping[str, Rule] = {"primary": Rule(frozenset({"primary"}), primary_assessor)}
