"""What runs retrieved for a topic: counts, the documents of a ranking, and who found what."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from measures.inputs.placements import Placements
from measures.inputs.universe import Universe
from measures.names import parse
from measures.scoring.scoring import score
from trec.runs.run import RankedRun

FIRST = 10  # the ranks whose unjudged documents are counted
COUNTS = tuple(map(parse, ("NumRel", "NumRelRet", f"Unjudged@{FIRST}")))


class Found(NamedTuple):
    """A run on a topic: relevant documents known and retrieved, and unjudged ones among the first.

    As the measures NumRel, NumRelRet and Unjudged@10 count them.
    """

    n_relevant: int
    n_found: int
    n_unjudged: int

    @property
    def n_missed(self) -> int:
        return self.n_relevant - self.n_found


def found_by(run: Placements, universe: Universe, level: int, rules: str) -> list[Found]:
    """Count what one run found on each topic of the universe."""
    counts = score([run], universe, COUNTS, level=level, rules=rules).values[0]
    counts *= (1, 1, FIRST)
    return [Found(*row) for row in counts.round().astype(int).tolist()]


class Ranked(NamedTuple):
    """A document of a ranking.

    Its grade is None if it is unjudged, its rank in another run None if that lacks it.
    """

    rank: int
    docno: str
    score: float
    grade: int | None
    other: int | None = None

    def reaches(self, level: int) -> bool:
        return self.grade is not None and self.grade >= level


def ranked_documents(run: RankedRun, judged: Universe | None) -> list[Ranked]:
    """Return the documents of a run of one topic, best first, without grades if none are given."""
    grades: dict[int, int] = {}
    if judged is not None:
        entries, rows = judged.look_up(run)
        grades = dict(zip(rows.tolist(), judged.grades[entries].tolist(), strict=True))
    docnos = [docno.decode(errors="replace") for docno in run.docnos.tolist()]
    both = zip(docnos, run.scores.tolist(), strict=True)
    return [Ranked(n + 1, *each, grades.get(n)) for n, each in enumerate(both)]


def beside(mine: Sequence[Ranked], others: Sequence[Ranked]) -> list[Ranked]:
    """Return my documents with their ranks in the other ranking."""
    ranks = {each.docno: each.rank for each in others}
    return [each._replace(other=ranks.get(each.docno)) for each in mine]


class Finders(NamedTuple):
    """A relevant document, the best rank that a run gave it, and the indices of its runs."""

    docno: str
    grade: int
    best: int | None
    runs: list[int]


def finders(runs: Sequence[Placements], judged: Universe, level: int) -> list[Finders]:
    """Return the relevant documents of one topic, those that the fewest runs retrieved first."""
    relevant = np.flatnonzero(judged.grades >= level).tolist()
    ranks: dict[int, dict[int, int]] = {entry: {} for entry in relevant}
    for number, run in enumerate(runs):
        for entry, rank in zip(run.entries.tolist(), run.ranks.tolist(), strict=True):
            if entry in ranks:
                ranks[entry][number] = rank
    rows = [
        Finders(
            judged.docnos[entry].decode(errors="replace"),
            int(judged.grades[entry]),
            min(its.values(), default=None),
            list(its),
        )
        for entry, its in ranks.items()
    ]
    return sorted(rows, key=lambda row: (len(row.runs), row.docno))
