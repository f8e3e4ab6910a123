"""Read qrels of every layout as the universe that measures need; grades by several assessors."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Self

import numpy as np

from cleverdon.measures.family import Input
from cleverdon.measures.inputs.labels import LabeledLines, numbered_within
from cleverdon.measures.inputs.strata import stratified
from cleverdon.measures.inputs.subtopics import by_subtopic
from cleverdon.measures.inputs.universe import NOT_JUDGED, Universe
from cleverdon.trec.arrays import Grades, Integers, smallest
from cleverdon.trec.qrels import GROUPED, STRATIFIED, TREC, JudgedPairs, QrelsLayout, read_qrels

# Any negative grade that was given.
NEGATIVE = -2


@dataclass(frozen=True, eq=False)
class GradesByAssessor:
    """`grades[a, e]`: the grade of entry e by assessor a of the topic.

    It is NEGATIVE for any negative grade, and NOT_JUDGED without one. The assessors of each topic
    are numbered in byte order of their names, like trec_eval's judgment groups.
    """

    grades: Grades

    def of_entries(self, entries: Integers, _: Integers) -> Self:
        """Return the grades of these entries alone."""
        return type(self)(self.grades[:, entries])


def by_assessor(pairs: JudgedPairs) -> Universe:
    """Return the pairs that any assessor judged, each with its highest grade, and all grades.

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


# The columns of a file, and the function that makes a universe of its pairs.
QRELS_FORMATS: Mapping[Input, tuple[QrelsLayout, Callable[[JudgedPairs], Universe]]] = {
    Input.GRADES: (TREC, Universe.of),
    Input.ASSESSORS: (GROUPED, by_assessor),
    Input.STRATA: (STRATIFIED, stratified),
    Input.SUBTOPICS: (GROUPED, by_subtopic),
}


def read_judgments(
    stream: BinaryIO, reads: Input = Input.GRADES, *, comments: bool = False
) -> Universe:
    """Return the judged universe of a qrels file.

    FormatError, with the line, for a malformed file; ValueError for preferences, which qrels do not
    hold.
    """
    if reads not in QRELS_FORMATS:
        raise ValueError(f"Qrels hold no {reads}.")
    layout, universe = QRELS_FORMATS[reads]
    return universe(read_qrels(stream, layout=layout, comments=comments))
