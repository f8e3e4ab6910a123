"""What a second assessor judges of a topic: a sample drawn from a seed, or by first grade."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

from cleverdon.pools import seeds

# The first grades of a document at each draw by grade of its topic, in order; None without one.
Stratum = tuple[int | None, ...]


class Sample(NamedTuple):
    """What is judged twice of each topic: a share of its documents, or `n` of them.

    With `by_grade` each first grade gets as many of them as the others. False if it is of nothing.
    """

    share: float = 0.0
    n: int = 0
    by_grade: bool = False

    def __bool__(self) -> bool:
        return bool(self.share or self.n)

    def size(self, n_documents: int) -> int:
        """Return how many of so many documents it has.

        >>> Sample(0.1).size(25), Sample(n=30).size(25)
        (3, 25)
        """
        if self.n:
            return min(self.n, n_documents)
        return math.ceil(round(self.share * n_documents, 9))

    def of(self, docnos: Collection[str], grades: Mapping[str, int], seed: int) -> list[str]:
        """Draw documents of a topic; `grades` are the first ones, read only if it is by grade."""
        if self.by_grade:
            by_grade = draw_by_grade(self.size(len(grades)), grades, grades, seed)
            return sorted(docno for each in by_grade.values() for docno in each)
        if self.n:
            return sorted(seeds.shuffled(docnos, seed)[: self.n])
        return seeds.sample(docnos, self.share, seed)


def draw_by_grade(
    n: int, grades: Mapping[str, int], undrawn: Collection[str], seed: int
) -> dict[int, list[str]]:
    """Draw n documents of those undrawn, and return them by their first grade.

    Each grade comes to as many as the others, counting what was drawn before, or to all that it
    has; what cannot be even goes to higher grades.
    """
    left: dict[int, list[str]] = defaultdict(list)
    for docno in undrawn:
        left[grades[docno]].append(docno)
    drawn = Counter(grades.values())
    drawn.subtract({grade: len(docnos) for grade, docnos in left.items()})
    sizes = dict.fromkeys(left, 0)
    for _ in range(min(n, len(undrawn))):
        short = [grade for grade in left if sizes[grade] < len(left[grade])]
        grade = min(short, key=lambda each: (drawn[each] + sizes[each], -each))
        sizes[grade] += 1
    return {
        grade: seeds.shuffled(docnos, seeds.seed_for(seed, grade))[: sizes[grade]]
        for grade, docnos in sorted(left.items())
    }
