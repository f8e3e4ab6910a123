"""Every measure of trec_eval against trec_eval itself, in every bit.

Rules 9: over drawn collections, against its functions as compiled into a wheel, here by grades, in
test_assessors and test_preferences by other judgments. Rules 9 and 10: against recorded outputs.
"""

import io
import json
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.placements import place
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scoring import score
from cleverdon.measures.trec_eval import columns
from cleverdon.trec.qrels import read_qrels
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.read import read_run
from tests.core.measures.commands import run as command

CASES = sorted((Path(__file__).resolve().parents[2] / "vectors" / "trec_eval").glob("0*"))
# Averaged in another order than trec_eval's, which adds missing topics up first.
NEARLY = {"gm_map", "gm_bpref"}
# What the wheel does not score by topic, or scores as text.
LEFT_OUT = {"runid", "num_q", "relstring", "gm_map", "gm_bpref"}
PARAMETERS = (
    "P.1,3,10 recall.1,5,1000 map_cut.1,2,5,10 ndcg_cut.1,2,5,10 relative_P.1,2,5,100 "
    "success.1,2,10 Rprec_mult.0.2,0.35,1.0,2.5 iprec_at_recall.0,0.05,0.1,0.33,0.5,0.75,0.9,1"
)
TOPICS = ("1", "10", "2", "é")
DOCNOS = (*(f"d{n}" for n in range(25)), "é1", "D1", "d", "cw12-0001-a-longer-docno-than-32-bytes")
SCORES = (0.5, 0.1, 0.10000000001, 0.1000000001, 1e-3, -2.25, 7.0, 0.9832170667419908)


def collection(seed: int) -> tuple[dict, dict]:
    """Qrels and a run: ties, gaps, negative grades, topics that one of the two lacks."""
    generator = np.random.default_rng(seed)
    qrels, run = {}, {}

    def some(values):
        docnos = generator.choice(DOCNOS, generator.integers(1, len(DOCNOS)), replace=False)
        return dict(zip(docnos.tolist(), values(len(docnos)).tolist(), strict=True))

    def scores(n):
        tied = generator.choice(SCORES, n)
        return np.where(generator.random(n) < 0.5, tied, generator.normal(size=n))

    for topic in TOPICS:
        if generator.random() < 0.8:
            grades = some(lambda n: generator.choice([-2, -1, 0, 0, 0, 1, 1, 2, 3], n))
            # trec_eval itself crashes on a topic of which nothing is judged.
            qrels[topic] = grades | {"judged": 0}
        if generator.random() < 0.8:
            run[topic] = some(scores)
    return qrels, run


def text_of(values: dict, layout: str, seed: int) -> io.BytesIO:
    """Lines in any order, those of different topics among each other."""
    rows = [(t, docno, value) for t, own in values.items() for docno, value in own.items()]
    lines = [layout.format(*row) for row in rows]
    if seed % 3:
        np.random.default_rng(seed).shuffle(lines)
    return io.BytesIO("\n".join(lines).encode())


@pytest.mark.parametrize("requests", ["all_trec", PARAMETERS], ids=["defaults", "parameters"])
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.booleans())
def test_every_value_of_drawn_collections(requests, seed, level, judged_only):
    qrels, run = collection(seed)
    if not qrels or not run:
        return
    wanted = [c for c in columns(requests.split()) if c.measure and c.name not in LEFT_OUT]
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, set(requests.split()), relevance_level=level, judged_docs_only_flag=judged_only
    )
    universe = Universe.of(read_qrels(text_of(qrels, "{} 0 {} {}", seed)))
    text = text_of(run, "{} Q0 {} 1 {!r} made", seed)
    # Checked as an upload is, or only read, as by the command.
    read = check_run(text, tag="made", topics=set(run)).run if seed % 2 else read_run(text)
    placed = place(read, universe)
    placed = placed.condensed(universe) if judged_only else placed
    found = score([placed], universe, [column.measure for column in wanted], level=level)
    for topic, values in evaluator.evaluate(run).items():
        row = found.values[0, universe.topics.index(topic)].tolist()
        # With nothing judged retrieved trec_eval divides 0 by 0.
        expected = {name: 0.0 if np.isnan(value) else value for name, value in values.items()}
        names = [column.name for column in wanted]
        assert dict(zip(names, row, strict=True)) == {name: expected[name] for name in names}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_recorded_output_is_printed_to_the_byte_and_met_in_every_bit(case):
    """Measures that trec_eval takes from memory it never wrote are left out."""
    outputs = json.loads((case / "expected.json").read_text())
    assert len(outputs) >= 16
    for output in outputs:
        names = output.get("unreliable", [])
        options = [*output["options"], "--rules", output["rules"]]
        files = case / "qrels.txt", case / "run.txt"
        status, printed, err = command(*options, *files)
        assert (status, err) == (0, "")
        assert without(printed, names) == without(output["printed"], names), options
        scores = json.loads(command(*options, "--json", *files)[1])["runs"][0]["scores"]
        recorded = [line.split("\t") for line in without(output["full"], names) if line]
        for name, topic, text in (map(str.strip, fields) for fields in recorded):
            value = text if name in {"runid", "relstring"} else float(text)
            expected = pytest.approx(value, rel=1e-12) if name in NEARLY else value
            assert scores[topic][name] == expected, (options, topic, name)


def without(text: str, names: list[str]) -> list[str]:
    return [line for line in text.split("\n") if line.split("\t")[0].strip() not in names]
