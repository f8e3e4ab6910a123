"""The qrels rules: how the judgments of a document become its one official grade."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

# (topic, docno, kind of assignment, state, grade, judgments wanted if the topic is shared)
JudgmentRow = tuple[str, str, str, str, int | None, int | None]


# Grades that count without a judgment of their own: existing ones, and those of documents with the
# same text.
EXISTING, DUPLICATE = "existing", "duplicate"
CARRIED = frozenset({EXISTING, DUPLICATE})


class OfficialGrade(NamedTuple):
    topic: str
    docno: str
    grade: int


class QrelsRule(NamedTuple):
    """`decide` returns the official grades, from judgments of assignments of these `kinds`."""

    kinds: frozenset[str]
    decide: Callable[[Iterable[JudgmentRow]], list[OfficialGrade]]


def primary_assessor(judgments: Iterable[JudgmentRow]) -> list[OfficialGrade]:
    """Return the primary assessor's grades and those carried, in byte order of topic and docno.

    A document that was put off, reopened or could not be judged has no grade and is left out.
    ValueError when a document has two primary grades, or is judged without one.
    """
    official: dict[tuple[str, str], int] = {}
    for topic, docno, kind, state, grade, _ in judgments:
        if kind not in {"primary", *CARRIED} or state != "judged":
            continue
        if grade is None:
            raise ValueError(f"Document {docno} is judged for topic {topic} without a grade.")
        if (topic, docno) in official:
            raise ValueError(f"Document {docno} has two primary grades for topic {topic}.")
        official[topic, docno] = grade
    return [OfficialGrade(*pair, official[pair]) for pair in sorted(official)]


def median_of_shared(judgments: Iterable[JudgmentRow]) -> list[OfficialGrade]:
    """Return the primary grades, and of shared topics the lower median of settled documents."""
    rows = list(judgments)
    official = primary_assessor(rows)
    for (topic, docno), (grades, _) in settled(rows).items():
        if grades:
            official.append(OfficialGrade(topic, docno, lower_median(grades)))
    return sorted(official)


def has_room(n_wanted: int, n_judged: int) -> bool:
    """Whether a shared document takes one more judgment."""
    return n_judged < n_wanted


def is_settled(n_wanted: int, n_judged: int, n_impossible: int) -> bool:
    """Whether a shared document has the judgments wanted, or as many say it cannot be judged."""
    return not has_room(n_wanted, max(n_judged, n_impossible))


def settled(judgments: Iterable[JudgmentRow]) -> dict[tuple[str, str], tuple[list[int], int]]:
    """Return the grades of settled shared documents, and how many people could not judge each."""
    grades: dict[tuple[str, str], list[int]] = defaultdict(list)
    n_impossible: dict[tuple[str, str], int] = defaultdict(int)
    wanted: dict[tuple[str, str], int] = {}
    for topic, docno, kind, state, grade, n_wanted in judgments:
        if kind != "shared":
            continue
        wanted[topic, docno] = n_wanted or 1
        if grade is not None:
            grades[topic, docno].append(grade)
        n_impossible[topic, docno] += state == "cannot_judge"
    return {
        pair: (grades[pair], n_impossible[pair])
        for pair, n in wanted.items()
        if is_settled(n, len(grades[pair]), n_impossible[pair])
    }


def by_topic(official: Iterable[OfficialGrade]) -> dict[str, dict[str, int]]:
    """Return grades by topic and docno."""
    grades: dict[str, dict[str, int]] = {}
    for topic, docno, grade in official:
        grades.setdefault(topic, {})[docno] = grade
    return grades


def lower_median(grades: Sequence[int]) -> int:
    """Return the grade in the middle, the lower of two.

    >>> lower_median([3, 0, 2]), lower_median([1, 2]), lower_median([0, 3, 3, 1])
    (2, 1, 1)
    """
    return sorted(grades)[(len(grades) - 1) // 2]


QRELS_RULES: Mapping[str, QrelsRule] = {
    "primary": QrelsRule(frozenset({"primary", *CARRIED}), primary_assessor),
    "median": QrelsRule(frozenset({"primary", "shared", *CARRIED}), median_of_shared),
}
