"""A thousand random collections beside trec_eval, in every bit."""

import io

import numpy as np
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from measures.inputs.placements import place
from measures.inputs.universe import Universe
from measures.scoring.scoring import score
from measures.trec_eval import columns
from trec.qrels import read_qrels
from trec.runs.check import check_run
from trec.runs.read import read_run
from trec.runs.run import RankedRun

REQUESTS = ["all_trec"]
# What the wheel does not score by topic, or scores as text.
LEFT_OUT = {"runid", "num_q", "relstring", "gm_map", "gm_bpref"}
COLUMNS = [column for column in columns(REQUESTS) if column.measure and column.name not in LEFT_OUT]
TOPICS = ("1", "10", "2", "é")
DOCNOS = (*(f"d{n}" for n in range(25)), "é1", "D1", "d", "cw12-0001-a-longer-docno-than-32-bytes")
SCORES = (0.5, 0.1, 0.10000000001, 0.1000000001, 1e-3, -2.25, 7.0, 0.9832170667419908)


def collection(seed: int) -> tuple[dict, dict]:
    """Qrels and a run: ties, gaps, negative grades, topics that one of the two lacks."""
    generator = np.random.default_rng(seed)
    qrels, run = {}, {}
    for topic in TOPICS:
        if generator.random() < 0.8:
            some = generator.choice(DOCNOS, generator.integers(1, len(DOCNOS)), replace=False)
            grades = generator.choice([-2, -1, 0, 0, 0, 1, 1, 2, 3], len(some)).tolist()
            # trec_eval itself crashes on a topic of which nothing is judged.
            qrels[topic] = dict(zip(some.tolist(), grades, strict=True)) | {"judged": 0}
        if generator.random() < 0.8:
            some = generator.choice(DOCNOS, generator.integers(1, len(DOCNOS)), replace=False)
            values = np.where(
                generator.random(len(some)) < 0.5,
                generator.choice(SCORES, len(some)),
                generator.normal(size=len(some)),
            )
            run[topic] = dict(zip(some.tolist(), values.tolist(), strict=True))
    return qrels, run


def text_of(values: dict, layout: str, seed: int) -> io.BytesIO:
    """Lines in any order, those of different topics among each other."""
    lines = [
        layout.format(topic, docno, value)
        for topic, own in values.items()
        for docno, value in own.items()
    ]
    if seed % 3:
        np.random.default_rng(seed).shuffle(lines)
    return io.BytesIO("\n".join(lines).encode())


def checked(text: io.BytesIO, run: dict) -> RankedRun:
    found = check_run(text, tag="made", topics=set(run))
    assert found.run is not None, found.report
    return found.run


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.booleans())
def test_every_measure_of_trec_eval_is_its_own_in_every_bit(seed, level, judged_only):
    qrels, run = collection(seed)
    if not qrels or not run:
        return
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, {"all_trec"}, relevance_level=level, judged_docs_only_flag=judged_only
    )
    theirs = evaluator.evaluate(run)
    universe = Universe.of(read_qrels(text_of(qrels, "{} 0 {} {}", seed)))
    text = text_of(run, "{} Q0 {} 1 {!r} made", seed)
    # Checked as an upload is, or only read, as by the command.
    placed = place(checked(text, run) if seed % 2 else read_run(text), universe)
    placed = placed.condensed(universe) if judged_only else placed
    found = score([placed], universe, [column.measure for column in COLUMNS], level=level)
    rows = dict(zip(universe.topics, found.values[0].tolist(), strict=True))
    for topic, values in theirs.items():
        for column, value in zip(COLUMNS, rows[topic], strict=True):
            # With nothing judged retrieved trec_eval divides 0 by 0.
            expected = 0.0 if np.isnan(values[column.name]) else values[column.name]
            assert value == expected, (topic, column.name)
