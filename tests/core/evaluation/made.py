"""Runs and collections for these tests."""

from collections.abc import Mapping, Sequence
from io import BytesIO

from hypothesis import strategies as st

from evaluation.core.measures.family import Cutoff, Family, Measure
from evaluation.core.placements import Placements, place
from evaluation.core.universe import Universe
from trec.runs.check import check_run
from trec.runs.run import RankedRun

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

TOPICS = ("1", "2", "10", "é3")
DOCNOS = (
    *(f"d{number}" for number in range(16)),
    "D1",
    "é1",
    "d",
    "a-longer-docno-than-the-others",
)
# Few values, so that ties are many; the last three are equal in single precision only.
SCORES = (-1.5, 0.0, 1e-3, 2.0, 7.25, 0.1, 0.10000000001, 0.10000000002)


def ranked(run: Mapping[str, Mapping[str, float]]) -> RankedRun:
    """A run as uploaded and checked."""
    lines = [
        f"{topic} Q0 {docno} {rank} {score!r} made"
        for topic, scores in run.items()
        for rank, (docno, score) in enumerate(scores.items(), start=1)
    ]
    checked = check_run(BytesIO("\n".join(lines).encode()), tag="made", topics=set(run))
    assert checked.run is not None, checked.report
    return checked.run


def in_order(rankings: Mapping[str, Sequence[str]]) -> RankedRun:
    """A run that has for each topic these documents in this order."""
    return ranked(
        {
            topic: {d: float(-i) for i, d in enumerate(docnos)}
            for topic, docnos in rankings.items()
        }
    )


def universe_of(qrels: Mapping[str, Mapping[str, int]]) -> Universe:
    """The judged pairs of qrels."""
    return Universe.from_qrels(qrels)


def placed(run: Mapping[str, Mapping[str, float]], universe: Universe) -> Placements:
    """Where a run has them."""
    return place(ranked(run), universe)


# What a family needs that has no default.
NEEDED = {"recall": 0.5, "max_rel": 4}


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
    grades = st.dictionaries(
        st.sampled_from(DOCNOS), st.integers(lowest, 4), min_size=1
    )
    judged = grades.filter(lambda documents: max(documents.values()) >= 0)
    return st.dictionaries(st.sampled_from(TOPICS), judged, min_size=1)


def scored() -> st.SearchStrategy[Run]:
    """Runs that tie often; topics of the qrels may be missing, and others there."""
    scores = st.dictionaries(
        st.sampled_from(DOCNOS), st.sampled_from(SCORES), min_size=1
    )
    return st.dictionaries(st.sampled_from((*TOPICS, "unknown")), scores, min_size=1)
