"""The judged universe: graded by a file, restricted to a part, and what was not judged before."""

from collections.abc import Callable
from io import BytesIO

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cleverdon.measures.family import Input
from cleverdon.measures.inputs.judgments import by_assessor
from cleverdon.measures.inputs.placements import place
from cleverdon.measures.inputs.preferences.universe import of_preferences
from cleverdon.measures.inputs.residual import residual_judgments, residual_run
from cleverdon.measures.inputs.strata import stratified
from cleverdon.measures.inputs.subtopics import by_subtopic
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scoring import score
from cleverdon.measures.table import FAMILIES
from cleverdon.trec.preferences import read_preferences
from cleverdon.trec.qrels import GROUPED, STRATIFIED, JudgedPairs, QrelsLayout, read_qrels
from cleverdon.trec.runs.run import RankedRun
from tests.core.measures.made import graded, member, ranked, scored
from tests.strategies import DOCNOS

Line = tuple[str, ...]


@given(graded(), st.data())
def test_the_part_of_a_pool_that_qrels_have_is_found(qrels, data):
    rows = [(t, d, g) for t, grades in qrels.items() for d, g in grades.items()]
    some = data.draw(st.lists(st.sampled_from(rows), unique=True))
    universe = Universe.from_qrels(qrels)
    found = universe.entries_of(JudgedPairs.from_rows(some))
    expected = [(t, d, (t, d, g) in some) for t, d, g in rows]
    assert np.array_equal(found, Universe.from_rows(expected).grades.astype(bool))
    part, given = universe.within(found), Universe.from_rows(some)
    assert (part.topics, part.docnos.tolist()) == (given.topics, given.docnos.tolist())


def test_a_pair_that_is_not_in_the_pool_is_refused():
    universe = Universe.from_qrels({"1": {"a": 1}})
    pairs = JudgedPairs.from_rows([("1", "a", 1), ("1", "b", 0)])
    with pytest.raises(ValueError, match="Document b of topic 1 is not in the pool"):
        universe.entries_of(pairs)


def text(lines: list[Line]) -> BytesIO:
    return BytesIO("".join(f"{' '.join(line)}\n" for line in lines).encode())


def from_qrels(
    make: Callable[[JudgedPairs], Universe], layout: QrelsLayout
) -> Callable[[list[Line]], Universe]:
    return lambda lines: make(read_qrels(text(lines), layout=layout))


def in_groups(line: Line) -> Line:
    topic, label, docno, _ = line
    return topic, label[0], label, docno, str(1 + DOCNOS.index(docno) // 3)


# Lines are (topic, label, docno, value); the stratum follows from the docno, the same in each part.
READERS: dict[Input, Callable[[list[Line]], Universe]] = {
    Input.GRADES: lambda lines: Universe.from_rows((t, d, int(v)) for t, _, d, v in lines),
    Input.ASSESSORS: from_qrels(by_assessor, GROUPED),
    Input.SUBTOPICS: from_qrels(by_subtopic, GROUPED),
    Input.STRATA: lambda lines: from_qrels(stratified, STRATIFIED)(
        [(t, "0", d, str(DOCNOS.index(d) % 2), v) for t, _, d, v in lines]
    ),
    # On a level of its own each document is preferred to all that come later in the list.
    Input.PREFERENCES: lambda lines: of_preferences(
        read_preferences(text([in_groups(line) for line in lines]), "prefs")
    ),
}
LABELLED = Input.ASSESSORS, Input.SUBTOPICS, Input.PREFERENCES


@st.composite
def judged(draw: st.DrawFn, reads: Input) -> list[Line]:
    """Lines for some pairs of three topics; with labels, up to three for each pair."""
    labels = ["ax", "ay", "b"] if reads in LABELLED else ["0"]
    keys = st.tuples(
        st.sampled_from(["1", "10", "2"]), st.sampled_from(labels), st.sampled_from(DOCNOS[:9])
    )
    values = draw(st.dictionaries(keys, st.integers(-1, 3), min_size=1, max_size=20))
    return [(*key, str(value)) for key, value in values.items()]


def values(universe: Universe, run: RankedRun, reads: Input) -> dict[str, list[float]]:
    measures = [member(family) for family in FAMILIES if family.reads is reads]
    rows = score([place(run, universe)], universe, measures).values[0].tolist()
    return dict(zip(universe.topics, rows, strict=True))


@pytest.mark.parametrize("reads", Input)
@given(st.data(), scored())
def test_a_part_has_the_values_of_a_file_without_the_rest(reads, data, run):
    lines, run = data.draw(judged(reads)), ranked(run)
    whole = READERS[reads](lines)
    topics = np.array(
        sorted(data.draw(st.sets(st.sampled_from(range(whole.n_topics)), min_size=1)))
    )
    among_all, part = values(whole, run, reads), whole.of_topics(topics)
    assert values(part, run, reads) == {t: among_all[t] for t in part.topics}
    pairs = sorted({(topic, docno) for topic, _, docno, _ in lines})
    kept = data.draw(st.sets(st.sampled_from(pairs), min_size=1))
    names = zip(whole.topic_of.tolist(), whole.docnos.tolist(), strict=True)
    part = whole.within(np.array([(whole.topics[t], d.decode()) in kept for t, d in names]))
    alone = READERS[reads]([line for line in lines if (line[0], line[2]) in kept])
    assert values(part, run, reads) == values(alone, run, reads)


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
