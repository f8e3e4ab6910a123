"""What a qrels file holds, in a few numbers and its first lines."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from cleverdon.trec.arrays import Integers
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
