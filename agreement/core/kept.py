"""Documents judged twice, from the judgments kept with a version of the qrels."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import NamedTuple

from assess.core.purposes import ADJUDICATION, INDEPENDENT, PRIMARY, SECOND, SHARED
from cleverdon.agreement.statistics import TwiceJudged
from cleverdon.trec.cells import restored

Row = Mapping[str, str]


def twice_answered(lines: Iterable[str], criteria: Sequence[str]) -> dict[str, list[TwiceJudged]]:
    """Return what `Judgment.twice_answered` does, as of when the lines were written.

    They are those of a file of `JudgmentRecord`s: a document's together, in the order of judgments.
    The first of the criteria gave the grades.
    """
    found: dict[str, list[TwiceJudged]] = {name: [] for name in criteria}
    counting = (row for row in csv.DictReader(lines) if _counts(row))
    for (topic, docno), rows in groupby(counting, lambda row: (row["topic"], row["docno"])):
        of_document = [(row, _answers(row, criteria[0])) for row in rows]
        for (row, answers), (its, others) in product(of_document, repeat=2):
            if _are_compared(its, row):
                names = restored(its["assessor"]), restored(row["assessor"])
                for name in criteria:
                    if name in answers and name in others:
                        pair = names[0], others[name], names[1], answers[name]
                        found[name].append((restored(topic), restored(docno), *pair))
    return found


def _counts(row: Row) -> bool:
    return row["state"] == "judged" and not row["set_aside_at"] and bool(row["judgment"])


def _answers(row: Row, first: str) -> dict[str, int]:
    return {first: int(row["grade"]), **json.loads(row["ratings"] or "{}")}


def _are_compared(its: Row, row: Row) -> bool:
    """Whether the first is the primary assessor's and the second the other's, or both shared."""
    if its["kind"] == row["kind"] == SHARED:
        return int(its["judgment"]) < int(row["judgment"])
    return (its["kind"], row["kind"]) == (PRIMARY, SECOND)


class Opinions(NamedTuple):
    """What was said of a document: grades by voice, the first one's first, and what was decided.

    A voice is a name: "" of the primary judgments of a topic, of others their assessor's.
    """

    topic: str
    docno: str
    grades: dict[str, int]
    adjudicated: int | None


def opinions(lines: Iterable[str]) -> Iterator[Opinions]:
    """Yield the documents with two independent grades or more; the lines are as above."""
    counting = (row for row in csv.DictReader(lines) if _counts(row))
    for (topic, docno), rows in groupby(counting, lambda row: (row["topic"], row["docno"])):
        of_document = sorted(rows, key=lambda row: row["kind"] != PRIMARY)
        grades, adjudicated = dict[str, int](), None
        for row in of_document:
            if row["kind"] == ADJUDICATION:
                adjudicated = int(row["grade"])
            elif row["kind"] in INDEPENDENT:
                voice = "" if row["kind"] == PRIMARY else restored(row["assessor"])
                grades.setdefault(voice, int(row["grade"]))
        if len(grades) > 1:
            yield Opinions(restored(topic), restored(docno), grades, adjudicated)
