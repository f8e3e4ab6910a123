"""Runs, collections and their values for these tests."""

from collections.abc import Mapping, Sequence
from io import BytesIO

from hypothesis import strategies as st

from cleverdon.measures.family import Cutoff, Family, Measure
from cleverdon.measures.inputs.placements import Placements, place
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import parse
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.run import RankedRun
from tests.strategies import DOCNOS, SCORES, TOPICS, Qrels, Run

# Enough for ties, gaps and several grades: more are drawn for long and show nothing new.
MOST_TOPICS, MOST_DOCUMENTS = 2, 9
UNJUDGED = tuple(f"u{number}" for number in range(6))
NINE, TEN = "trec_eval-9", "trec_eval-10"

# By topic documents with their scores, or documents from the best on.
Ranking = Mapping[str, float] | Sequence[str]


def ranked(run: Mapping[str, Ranking], rules: str = NINE) -> RankedRun:
    """A run as uploaded and checked."""
    lines = [
        f"{topic} Q0 {docno} {rank} {score!r} made"
        for topic, ranking in run.items()
        for rank, (docno, score) in enumerate(_scores(ranking).items(), start=1)
    ]
    text = BytesIO("\n".join(lines).encode())
    checked = check_run(text, tag="made", topics=set(run), rules=rules)
    assert checked.run is not None, checked.report
    return checked.run


def _scores(ranking: Ranking) -> Mapping[str, float]:
    if isinstance(ranking, Mapping):
        return ranking
    return {docno: -float(rank) for rank, docno in enumerate(ranking)}


def in_order(rankings: Mapping[str, Sequence[str]]) -> RankedRun:
    """A run that has for each topic these documents in this order."""
    return ranked(rankings)


def placed(run: Mapping[str, Ranking], universe: Universe, rules: str = NINE) -> Placements:
    return place(ranked(run, rules), universe, rules)


def values_of(
    measures: Sequence[Measure], qrels: Qrels, run: Mapping[str, Ranking], **options
) -> dict[str, list[float]]:
    """The values of some measures, by topic, of the topics in the run."""
    universe = Universe.from_qrels(qrels)
    placements = placed(run, universe, options.get("rules", NINE))
    rows = score([placements], universe, measures, **options).values[0].tolist()
    by_topic = zip(universe.topics, rows, strict=True)
    return {topic: row for topic, row in by_topic if topic in run}


def values(measure: Measure, qrels: Qrels, run: Mapping[str, Ranking], **options):
    """The values of one measure, as `values_of`."""
    return {t: value for t, [value] in values_of([measure], qrels, run, **options).items()}


def one(grades: dict[str, int], ranking: str, measure: Measure | str, **options) -> float:
    """The value of a measure for one topic, its ranking given as words."""
    measure = parse(measure) if isinstance(measure, str) else measure
    return values(measure, {"1": grades}, {"1": ranking.split()}, **options)["1"]


def marked(relevant: list[int], depth: int, n_missing: int = 0) -> tuple[dict[str, int], str]:
    """One topic's grades and a ranking that has relevant documents at these ranks."""
    docnos = [f"d{rank}" for rank in range(1, depth + 1)]
    grades = {docno: int(rank in relevant) for rank, docno in enumerate(docnos, start=1)}
    return grades | {f"m{i}": 1 for i in range(n_missing)}, " ".join(docnos)


def grades_in_order(
    grades: Mapping[str, int], ranking: Sequence[str], *, judged_only: bool = False
) -> list[int]:
    """The grade at each rank, 0 where it is negative or there is none."""
    kept = [d for d in ranking if not judged_only or grades.get(d, -1) >= 0]
    return [max(0, grades.get(docno, 0)) for docno in kept]


def ideal(grades: Mapping[str, int]) -> list[int]:
    """The grades above 0, the highest first."""
    return sorted((grade for grade in grades.values() if grade > 0), reverse=True)


# What a family needs that has no default.
NEEDED = {"recall": 0.5, "max_rel": 4, "graded": False}


def member(family: Family, **given) -> Measure:
    """A measure of a family, with what it must have."""
    needed = {
        parameter.name: NEEDED[parameter.name]
        for parameter in family.parameters
        if parameter.default is None and not parameter.optional
    }
    if family.cutoff is Cutoff.ALWAYS:
        needed["cutoff"] = 3
    return family.measure(**{**needed, **given})


def graded(lowest: int = -2) -> st.SearchStrategy[Qrels]:
    """Qrels in which every topic has a judged document: on others trec_eval itself may crash."""
    judged = _by_docno(st.integers(lowest, 4)).filter(lambda d: max(d.values()) >= 0)
    return _by_topic(TOPICS, judged)


def orders() -> st.SearchStrategy[dict[str, list[str]]]:
    """For some topics documents from the best on; some of them are in no qrels."""
    docnos = st.lists(st.sampled_from((*DOCNOS, *UNJUDGED)), min_size=1, max_size=12, unique=True)
    return _by_topic(TOPICS, docnos)


def scored() -> st.SearchStrategy[Run]:
    """Runs that tie often; topics of the qrels may be missing, and others there."""
    return _by_topic((*TOPICS, "unknown"), _by_docno(st.sampled_from(SCORES)))


def _by_docno(values: st.SearchStrategy) -> st.SearchStrategy:
    return st.dictionaries(st.sampled_from(DOCNOS), values, min_size=1, max_size=MOST_DOCUMENTS)


def _by_topic(topics: Sequence[str], documents: st.SearchStrategy) -> st.SearchStrategy:
    return st.dictionaries(st.sampled_from(topics), documents, min_size=1, max_size=MOST_TOPICS)
