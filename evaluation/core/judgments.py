"""Qrels of every layout, read as the measures need them."""

from collections.abc import Callable
from typing import BinaryIO, NamedTuple

from evaluation.core.assessors import by_assessor
from evaluation.core.measures.family import Input
from evaluation.core.strata import stratified
from evaluation.core.subtopics import by_subtopic
from evaluation.core.universe import Universe
from trec.qrels import GROUPED, STRATIFIED, TREC, JudgedPairs, Layout, read_qrels


class Reading(NamedTuple):
    """The columns of a file, and what makes a universe of its pairs."""

    layout: Layout
    universe: Callable[[JudgedPairs], Universe]


READINGS = {
    Input.GRADES: Reading(TREC, Universe.of),
    Input.ASSESSORS: Reading(GROUPED, by_assessor),
    Input.STRATA: Reading(STRATIFIED, stratified),
    Input.SUBTOPICS: Reading(GROUPED, by_subtopic),
}


def read_judgments(
    stream: BinaryIO, reads: Input = Input.GRADES, *, comments: bool = False
) -> Universe:
    """Return the judged universe of a qrels file; FormatError, with the line, for a file that cannot be read.

    ValueError for preferences, which qrels do not hold.
    """
    if reads not in READINGS:
        raise ValueError(f"Qrels hold no {reads}.")
    layout, universe = READINGS[reads]
    return universe(read_qrels(stream, layout=layout, comments=comments))
