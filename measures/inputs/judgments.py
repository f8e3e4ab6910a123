"""Read qrels of every layout as the universe that measures need."""

from collections.abc import Callable
from typing import BinaryIO, NamedTuple

from measures.family import Input
from measures.inputs.assessors import by_assessor
from measures.inputs.strata import stratified
from measures.inputs.subtopics import by_subtopic
from measures.inputs.universe import Universe
from trec.qrels import GROUPED, STRATIFIED, TREC, JudgedPairs, QrelsLayout, read_qrels


class QrelsFormat(NamedTuple):
    """The columns of a file, and the function that makes a universe of its pairs."""

    layout: QrelsLayout
    universe: Callable[[JudgedPairs], Universe]


QRELS_FORMATS = {
    Input.GRADES: QrelsFormat(TREC, Universe.of),
    Input.ASSESSORS: QrelsFormat(GROUPED, by_assessor),
    Input.STRATA: QrelsFormat(STRATIFIED, stratified),
    Input.SUBTOPICS: QrelsFormat(GROUPED, by_subtopic),
}


def read_judgments(
    stream: BinaryIO, reads: Input = Input.GRADES, *, comments: bool = False
) -> Universe:
    """Return the judged universe of a qrels file.

    FormatError, with the line, for a malformed file; ValueError for preferences, which qrels do not hold.
    """
    if reads not in QRELS_FORMATS:
        raise ValueError(f"Qrels hold no {reads}.")
    layout, universe = QRELS_FORMATS[reads]
    return universe(read_qrels(stream, layout=layout, comments=comments))
