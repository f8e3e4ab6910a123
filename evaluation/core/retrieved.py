"""What runs retrieved for a topic: counts, the documents of a ranking, and who found what."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import parse
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.runs.run import RankedRun

COUNTS = tuple(map(parse, ("NumRel", "NumRelRet", "Unjudged@10")))


class Found(NamedTuple):
    """Relevant documents of a topic, those that a run retrieved, and its unjudged down to rank 10.

    As the measures NumRel, NumRelRet and Unjudged@10 count them.
    """

    n_relevant: int
    n_found: int
    n_unjudged: int


def found_by(run: Placements, judged: Universe, level: int, rules: str) -> list[Found]:
    """Count what one run found on each topic."""
    counts = score([run], judged, COUNTS, level=level, rules=rules).values[0] * (1, 1, 10)
    return [Found(*row) for row in counts.round().astype(int).tolist()]


class Ranked(NamedTuple):
    """A document of a ranking: unjudged without a grade, `other` its rank in another run."""

    rank: int
    docno: str
    score: float
    grade: int | None
    other: int | None = None

    def reaches(self, level: int) -> bool:
        return self.grade is not None and self.grade >= level


def ranked_documents(run: RankedRun, judged: Universe | None) -> list[Ranked]:
    """Return the documents of a run on one topic, best first; without judgments no grades."""
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
    """A relevant document, and the ranks that runs gave it, by the runs' indices."""

    docno: str
    grade: int
    ranks: dict[int, int]

    @property
    def best(self) -> int | None:
        return min(self.ranks.values(), default=None)


def finders(runs: Sequence[Placements], judged: Universe, level: int) -> list[Finders]:
    """Return the relevant documents of one topic, those that the fewest runs retrieved first."""
    ranks: list[dict[int, int]] = [{} for _ in judged.grades]
    for number, run in enumerate(runs):
        for entry, rank in zip(run.entries.tolist(), run.ranks.tolist(), strict=True):
            ranks[entry][number] = rank
    found = [
        Finders(judged.docnos[n].decode(errors="replace"), int(judged.grades[n]), ranks[n])
        for n in np.flatnonzero(judged.grades >= level).tolist()
    ]
    return sorted(found, key=lambda each: (len(each.ranks), each.docno))
