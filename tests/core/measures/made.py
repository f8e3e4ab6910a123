"""Runs and collections for these tests."""

from collections.abc import Mapping, Sequence
from io import BytesIO

from hypothesis import strategies as st

from measures.family import Cutoff, Family, Measure
from measures.inputs.placements import Placements, place
from measures.inputs.universe import Universe
from tests.strategies import DOCNOS, SCORES, TOPICS, Qrels, Run
from trec.runs.check import check_run
from trec.runs.run import RankedRun

# Enough for ties, gaps and several grades: a topic more, or a document, is drawn for long and shows
# nothing new.
MOST_TOPICS, MOST_DOCUMENTS = 3, 12


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
        {topic: {d: float(-i) for i, d in enumerate(docnos)} for topic, docnos in rankings.items()}
    )


def universe_of(qrels: Mapping[str, Mapping[str, int]]) -> Universe:
    """The judged pairs of qrels."""
    return Universe.from_qrels(qrels)


def placed(run: Mapping[str, Mapping[str, float]], universe: Universe) -> Placements:
    """Where a run has them."""
    return place(ranked(run), universe)


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


def scored() -> st.SearchStrategy[Run]:
    """Runs that tie often; topics of the qrels may be missing, and others there."""
    return _by_topic((*TOPICS, "unknown"), _by_docno(st.sampled_from(SCORES)))


def _by_docno(values: st.SearchStrategy) -> st.SearchStrategy:
    return st.dictionaries(st.sampled_from(DOCNOS), values, min_size=1, max_size=MOST_DOCUMENTS)


def _by_topic(topics: Sequence[str], documents: st.SearchStrategy) -> st.SearchStrategy:
    return st.dictionaries(st.sampled_from(topics), documents, min_size=1, max_size=MOST_TOPICS)
