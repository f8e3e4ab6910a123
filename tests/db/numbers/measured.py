"""Scores of runs from their files and qrels, as docs/measures.md defines them, in plain Python."""

import math
import struct
from collections.abc import Callable, Mapping, Sequence

from tests.core.measures.test_inferred import infndcg, xinfap

Grades = Mapping[str, int]  # of a topic's judged documents
Score = Callable[[Sequence[str], Grades, int], float]


def single(text: str) -> float:
    """A score as trec_eval 9 keeps it, in single precision."""
    return struct.unpack("f", struct.pack("f", float(text)))[0]


def rankings(run: str, rules: str) -> dict[str, list[str]]:
    """The docnos of each topic in order: by score, equal ones by docno, both descending."""
    kept = single if rules == "trec_eval-9" else float
    found: dict[str, list[tuple[float, bytes]]] = {}
    for line in run.splitlines():
        topic, _, docno, _, score, _ = line.split()
        found.setdefault(topic, []).append((kept(score), docno.encode()))
    return {t: [d.decode() for _, d in sorted(own, reverse=True)] for t, own in found.items()}


def relevant(grades: Grades, level: int) -> set[str]:
    return {docno for docno, grade in grades.items() if grade >= level}


def hits(ranked: Sequence[str], grades: Grades, level: int) -> list[int]:
    """The ranks of relevant documents."""
    known = relevant(grades, level)
    return [rank for rank, docno in enumerate(ranked, 1) if docno in known]


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def ap(ranked: Sequence[str], grades: Grades, level: int) -> float:
    found = hits(ranked, grades, level)
    return share(sum(n / rank for n, rank in enumerate(found, 1)), len(relevant(grades, level)))


def within(cutoff: int, of: Callable[[int, Grades, int], float]) -> Score:
    """A score from the number of relevant documents down to a rank."""

    def scored(ranked: Sequence[str], grades: Grades, level: int) -> float:
        return of(len(hits(ranked[:cutoff], grades, level)), grades, level)

    return scored


def r_precision(ranked: Sequence[str], grades: Grades, level: int) -> float:
    n = len(relevant(grades, level))
    return share(len(hits(ranked[:n], grades, level)), n)


def bpref(ranked: Sequence[str], grades: Grades, level: int) -> float:
    known = relevant(grades, level)
    n_relevant, n_others = len(known), len(grades) - len(known)
    above, total = 0, 0.0
    for docno in ranked:
        if docno in known:
            least = min(n_relevant, n_others)
            total += 1 - min(above, n_relevant) / least if above else 1
        elif docno in grades:
            above += 1
    return share(total, n_relevant)


def ndcg(cutoff: int | None) -> Score:
    def scored(ranked: Sequence[str], grades: Grades, _: int) -> float:
        def gained(found: Sequence[int]) -> float:
            return sum(g / math.log2(rank + 1) for rank, g in enumerate(found[:cutoff], 1))

        ideal = gained(sorted(grades.values(), reverse=True))
        return share(gained([grades.get(docno, 0) for docno in ranked]), ideal)

    return scored


def err(ranked: Sequence[str], grades: Grades, _: int) -> float:
    left, total = 1.0, 0.0
    for rank, docno in enumerate(ranked[:5], 1):
        satisfied = (2 ** grades.get(docno, 0) - 1) / 2**4
        total, left = total + left * satisfied / rank, left * (1 - satisfied)
    return total


SCORES: dict[str, Score] = {
    "AP": ap,
    "GMAP": ap,
    "nDCG": ndcg(None),
    "nDCG@5": ndcg(5),
    "P@5": within(5, lambda n, *_: n / 5),
    "R@10": within(10, lambda n, grades, level: share(n, len(relevant(grades, level)))),
    "Success@1": within(1, lambda n, *_: float(n > 0)),
    "RR": lambda ranked, grades, level: 1 / next(iter(hits(ranked, grades, level)), math.inf),
    "Rprec": r_precision,
    "Bpref": bpref,
    "Judged@5": lambda ranked, grades, _: share(
        sum(d in grades for d in ranked[:5]), len(ranked[:5])
    ),
    "Unjudged@5": lambda ranked, grades, _: sum(d not in grades for d in ranked[:5]) / 5,
    "NumRet": lambda ranked, *_: float(len(ranked)),
    "NumRelRet": lambda *given: float(len(hits(*given))),
    "ERR@5": err,
    "RBP(graded=False)": lambda *given: 0.2 * sum(0.8 ** (rank - 1) for rank in hits(*given)),
    "SetP": lambda ranked, *rest: share(len(hits(ranked, *rest)), len(ranked)),
    "SetR": lambda ranked, grades, level: share(
        len(hits(ranked, grades, level)), len(relevant(grades, level))
    ),
}
# Of a sample they read strata: stratum and grade of each document, -1 for those not judged.
OF_SAMPLES = {
    "xinfAP": lambda ranked, strata, level: xinfap(strata, ranked, None, level),
    "xinfAP@5": lambda ranked, strata, level: xinfap(strata, ranked, 5, level),
    "infNDCG": lambda ranked, strata, _: infndcg(strata, ranked, None),
}
SUMS = {"NumRet", "NumRelRet"}


def aggregate(name: str, values: Sequence[float]) -> float | None:
    """The score over the topics that count; None over none."""
    if not values:
        return None
    if name in SUMS:
        return sum(values)
    if name == "GMAP":
        return math.exp(sum(math.log(max(each, 1e-5)) for each in values) / len(values))
    return sum(values) / len(values)
