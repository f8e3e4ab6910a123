"""What a qrels file holds, in a few numbers and its first lines."""

import csv
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from assess.core.purposes import ADJUDICATION, INDEPENDENT, SECOND, SHARED
from assess.core.rules import CORRECTION
from cleverdon.trec.arrays import Integers
from cleverdon.trec.cells import restored
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.qrels import JudgedPairs
from cleverdon.trec.words import counted, first_of

N_FIRST_LINES = 8
MOST_GRADES = 100
MOST_MOVES = 6
MOST_NAMED = 20  # topics in a sentence

# The states of an import and their transitions. The first state is the initial one.
IMPORT_TRANSITIONS: Mapping[str, frozenset[str]] = {
    "reading": frozenset({"read", "refused", "discarded"}),
    # Reading may have failed for want of space or memory: the same file can be tried again.
    "refused": frozenset({"read", "refused", "discarded"}),
    "read": frozenset({"imported", "discarded"}),
    "imported": frozenset(),
    "discarded": frozenset(),
}


@dataclass(frozen=True)
class QrelsFacts:
    """The size of a qrels file: `by_grade` counts judgments; its keys are text, as in JSON."""

    n_topics: int
    n_judgments: int
    by_grade: dict[str, int]

    @classmethod
    def of(cls, n_topics: int, grades: Integers) -> Self:
        """Count grades. Of more than MOST_GRADES different ones only the highest are listed."""
        values, counts = np.unique(grades, return_counts=True)
        pairs = list(zip(values.tolist(), counts.tolist(), strict=True))
        listed = {str(grade): count for grade, count in pairs[-MOST_GRADES:]}
        return cls(n_topics, len(grades), listed)

    def n_from(self, level: int) -> int:
        """Count the judgments with this grade or a higher one."""
        return sum(n for grade, n in self.by_grade.items() if int(grade) >= level)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Each grade with its number of judgments, the lowest first."""
        return sorted((int(grade), n) for grade, n in self.by_grade.items())

    @property
    def highest(self) -> int:
        return self.pairs[-1][0]

    def other_than(self, grades: Collection[int]) -> list[int]:
        """Return the grades that are none of these, the highest first."""
        return [grade for grade, _ in reversed(self.pairs) if grade not in grades]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class QrelsChange:
    """Pairs added and gone between two versions, and `moves` from one grade to another."""

    n_added: int
    n_removed: int
    moves: dict[tuple[int, int], int]

    @property
    def n_changed(self) -> int:
        return sum(self.moves.values())

    @property
    def most(self) -> list[tuple[int, int, int]]:
        """Return the commonest moves, as the grade before, the grade after, and how many."""
        ordered = sorted(self.moves.items(), key=lambda each: (-each[1], each[0]))
        return [(before, after, n) for (before, after), n in ordered[:MOST_MOVES]]


def change(before: JudgedPairs, after: JudgedPairs) -> QrelsChange:
    """Compare two versions pair by pair.

    >>> rows = [[("1", "a", 0), ("1", "b", 1)], [("1", "a", 2), ("2", "b", 1)]]
    >>> change(*(JudgedPairs.from_rows(each) for each in rows))
    QrelsChange(n_added=1, n_removed=1, moves={(0, 2): 1})
    """
    earlier, later = before.by_topic(), after.by_topic()
    n_both, moves = 0, Counter[tuple[int, int]]()
    for topic, grades in later.items():
        old = earlier.get(topic, {})
        both = [(old[docno], grade) for docno, grade in grades.items() if docno in old]
        n_both += len(both)
        moves.update(pair for pair in both if pair[0] != pair[1])
    return QrelsChange(len(after.grades) - n_both, len(before.grades) - n_both, dict(moves))


def loss(before: JudgedPairs, after: JudgedPairs, name: str) -> str:
    """Say what a version of this name loses by a later one; "" if every pair keeps a grade.

    >>> rows = [[("1", "a", 0), ("1", "b", 1)], [("1", "a", 2), ("2", "b", 1)]]
    >>> loss(*(JudgedPairs.from_rows(each) for each in rows), "v4")
    '1 grade of v4 would be gone, 1 would change. Gone from topic 1.'
    """
    found, left = change(before, after), after.by_topic()
    if not found.n_removed:
        return ""
    topics = [
        topic
        for topic, grades in before.by_topic().items()
        if grades.keys() - left.get(topic, {}).keys()
    ]
    changed = f", {found.n_changed:,} would change" if found.n_changed else ""
    named = first_of(sorted(topics, key=natural_key), MOST_NAMED)
    gone = f"{counted(found.n_removed, 'grade')} of {name} would be gone{changed}."
    return f"{gone} Gone from topic{'s' if len(topics) > 1 else ''} {named}."


Pair = tuple[str, str]
ADDED, REMOVED, CHANGED, FLIPPED = "added", "removed", "changed", "flipped"
KINDS = (ADDED, REMOVED, CHANGED, FLIPPED)


class QrelsDifference(NamedTuple):
    """A document whose grade, or relevance, two versions do not share.

    It is added, removed, changed, or "same" where only the levels of the versions differ. The grade
    that a version lacks is None. It is `flipped` if both have it, and one as relevant.
    """

    topic: str
    docno: str
    kind: str
    grade_before: int | None
    rule_before: str
    grade_after: int | None
    rule_after: str
    flipped: bool

    def is_of(self, kind: str) -> bool:
        """Whether it is of one of KINDS; "" is all."""
        return self.flipped if kind == FLIPPED else kind in {"", self.kind}


class Graded(NamedTuple):
    """A version: its grades by topic and docno, its level, and by which rule each came about."""

    grades: Mapping[str, Mapping[str, int]]
    level: int
    rules: Mapping[Pair, str]
    usual: str  # of grades that no rule is known of

    def rule(self, topic: str, docno: str) -> str:
        return self.rules.get((topic, docno), self.usual)


def differences(before: Graded, after: Graded, topic: str = "") -> Iterator[QrelsDifference]:
    """Yield where two versions differ, on a topic or on all, in the order of topics and docnos."""
    numbers = [topic] if topic else sorted({*before.grades, *after.grades}, key=natural_key)
    for number in numbers:
        old, new = before.grades.get(number, {}), after.grades.get(number, {})
        for docno in sorted({*old, *new}):
            found = _difference(number, docno, before, after)
            if found.kind != "same" or found.flipped:
                yield found


def _difference(topic: str, docno: str, before: Graded, after: Graded) -> QrelsDifference:
    old, new = (each.grades.get(topic, {}).get(docno) for each in (before, after))
    kind = "same" if old == new else CHANGED
    if old is None or new is None:
        kind, flipped = ADDED if old is None else REMOVED, False
    else:
        flipped = (old >= before.level) != (new >= after.level)
    rules = (
        "" if grade is None else each.rule(topic, docno)
        for grade, each in ((old, before), (new, after))
    )
    rule_before, rule_after = rules
    return QrelsDifference(topic, docno, kind, old, rule_before, new, rule_after, flipped)


# What comes before what other rules give; 0 is theirs.
RANKS = {ADJUDICATION: 1, CORRECTION: 2}


def rules_of(lines: Iterable[str], shared: str, other: str = "") -> dict[Pair, str]:
    """Return by which rule each document has its grade in a version, from its judgments as CSV.

    `shared` is the rule of shared topics. Where the grades rest on another basis, `other` is the
    rule of all that somebody judged.
    """
    found: dict[Pair, tuple[int, str]] = {}
    for row in csv.DictReader(lines):
        kind, is_judged = row["kind"], row["state"] == "judged" and not row["set_aside_at"]
        rank, rule = RANKS.get(kind, 0), shared if kind == SHARED else kind
        if other and kind in INDEPENDENT:
            rank, rule = len(RANKS) + 1, other
        if is_judged and rule != SECOND:
            pair = restored(row["topic"]), restored(row["docno"])
            if pair not in found or rank > found[pair][0]:
                found[pair] = rank, rule
    return {pair: rule for pair, (_, rule) in found.items()}
