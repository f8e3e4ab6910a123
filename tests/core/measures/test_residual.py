"""Runs and judgments without the documents judged before."""

from hypothesis import assume, given

from measures.inputs.placements import place
from measures.inputs.residual import residual_judgments, residual_run
from measures.inputs.universe import Universe
from tests.core.measures.made import graded, ranked, scored


def left(by_topic, seen):
    """The same without what `seen` has; topics without any left out."""
    kept = {
        t: {d: v for d, v in docs.items() if d not in seen.get(t, ())}
        for t, docs in by_topic.items()
    }
    return {topic: docs for topic, docs in kept.items() if docs}


@given(scored(), graded())
def test_a_run_is_as_if_its_lines_had_never_been_there(run, seen):
    assume(left(run, seen))
    before = Universe.from_qrels(seen)
    found, expected = residual_run(ranked(run), before), ranked(left(run, seen))
    assert not len(place(found, before).entries)
    shown = {
        t: (found.docnos_of(i).tolist(), found.scores_of(i).tolist())
        for i, t in enumerate(found.topics)
    }
    assert {topic: each for topic, each in shown.items() if each[0]} == {
        topic: (expected.docnos_of(i).tolist(), expected.scores_of(i).tolist())
        for i, topic in enumerate(expected.topics)
    }


@given(graded(), graded())
def test_judgments_lose_what_was_judged_before(qrels, seen):
    found = residual_judgments(Universe.from_qrels(qrels), Universe.from_qrels(seen))
    expected = Universe.from_qrels(left(qrels, seen))
    assert (found.topics, found.docnos.tolist(), found.grades.tolist()) == (
        expected.topics,
        expected.docnos.tolist(),
        expected.grades.tolist(),
    )
