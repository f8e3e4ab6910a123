"""Qrels by several assessors, each of whom judged alone (trec_eval -R qrels_jg), as one universe."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from measures.inputs.labels import LabeledLines, numbered_within
from measures.inputs.universe import NOT_JUDGED, Universe
from trec.arrays import Grades, Integers, smallest
from trec.qrels import JudgedPairs

# Stands for any negative grade that was given.
NEGATIVE = -2


@dataclass(frozen=True, eq=False)
class GradesByAssessor:
    """`grades[a, e]`: what assessor a of the topic gave entry e, NEGATIVE for any negative grade, NOT_JUDGED for none.

    The assessors of each topic are numbered in byte order of their names, like trec_eval's judgment groups.
    """

    grades: Grades

    def of_entries(self, entries: Integers, _: Integers) -> Self:
        """Return the grades of these entries alone."""
        return type(self)(self.grades[:, entries])


def by_assessor(pairs: JudgedPairs) -> Universe:
    """Return the pairs that any assessor judged, with the grades of all assessors; a pair's own grade is the highest.

    The labels of the pairs are their assessors. ValueError when they have none.
    """
    lines = LabeledLines.of(pairs)
    assessors, counts = numbered_within(lines.topics, lines.labels.numbered()[1])
    shape = int(counts.max(initial=0)), len(lines.firsts)
    grades = np.full(shape, NOT_JUDGED, dtype=np.int64)
    grades[assessors, lines.entries] = np.where(pairs.grades < 0, NEGATIVE, pairs.grades)
    return Universe(
        pairs.topics,
        lines.offsets,
        pairs.docnos.take(lines.firsts),
        smallest(grades.max(axis=0, initial=NEGATIVE)),
        GradesByAssessor(smallest(grades)),
    )
