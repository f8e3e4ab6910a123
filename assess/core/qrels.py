"""From judgments to one official grade for each document."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

PRIMARY = "primary"
JUDGED = "judged"


class Row(NamedTuple):
    """An official grade."""

    topic: str
    docno: str
    grade: int


def primary_assessor(
    judgments: Iterable[tuple[str, str, str, str, int | None]],
) -> list[Row]:
    """Apply the rule "primary assessor" to (topic, docno, role, state, grade): the primary assessor's grades, no others.

    Only a judgment in state "judged" gives a grade; put off, reopened or cannot be judged is unjudged, and absent. Rows
    are in byte order of topic and docno. ValueError when a document has two primary grades, or is judged without one.
    """
    official: dict[tuple[str, str], int] = {}
    for topic, docno, role, state, grade in judgments:
        if role != PRIMARY or state != JUDGED:
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
    return [
        Row(topic, docno, official[topic, docno]) for topic, docno in sorted(official)
    ]


def fingerprint(content: bytes) -> str:
    """Return the SHA-256 of a qrels file as written, as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
