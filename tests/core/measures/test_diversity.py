"""Measures of diversity against ndeval's, through its wheel, and by hand."""

import io
import math

import pyndeval
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.diversity import (
    ALPHA_DCG,
    ALPHA_NDCG,
    AP_IA,
    ERR_IA,
    NERR_IA,
    NNRBP,
    NRBP,
    P_IA,
    ST_RECALL,
)
from measures.inputs.subtopics import by_subtopic
from measures.inputs.universe import Universe
from measures.scoring.scoring import score
from tests.core.measures.made import placed
from trec.qrels import GROUPED, JudgedPairs, read_qrels

DOCNOS = [f"d{number:02}" for number in range(12)]
JUDGED = st.dictionaries(
    st.tuples(st.sampled_from("12"), st.sampled_from("1234"), st.sampled_from(DOCNOS)),
    st.integers(0, 2),
    min_size=1,
)
RANKED = st.dictionaries(
    st.sampled_from("12"), st.lists(st.sampled_from(DOCNOS), unique=True, min_size=1), min_size=1
)
THEIRS = {
    "alpha-DCG@{k}": ALPHA_DCG,
    "alpha-nDCG@{k}": ALPHA_NDCG,
    "ERR-IA@{k}": ERR_IA,
    "nERR-IA@{k}": NERR_IA,
    "strec@{k}": ST_RECALL,
    "P-IA@{k}": P_IA,
    "NRBP": NRBP,
    "nNRBP": NNRBP,
    "MAP-IA": AP_IA,
}


def read(rows) -> Universe:
    text = "".join(
        f"{topic} {subtopic} {docno} {grade}\n" for (topic, subtopic, docno), grade in rows.items()
    )
    return by_subtopic(read_qrels(io.BytesIO(text.encode()), layout=GROUPED))


@given(
    JUDGED,
    RANKED,
    st.sampled_from([2, 5, 10, 20]),
    st.sampled_from([0.0, 0.3, 0.5]),
    st.sampled_from([0.5, 0.8]),
)
def test_every_value_is_ndevals(rows, rankings, k, alpha, beta):
    universe = read(rows)
    run = {
        topic: {d: float(-rank) for rank, d in enumerate(docnos)}
        for topic, docnos in rankings.items()
    }
    measures = [
        family.measure(
            cutoff=k if "{k}" in name else None,
            **{p.name: {"alpha": alpha, "beta": beta}[p.name] for p in family.parameters},
        )
        for name, family in THEIRS.items()
    ]
    found = score([placed(run, universe)], universe, measures).values[0]
    names = [name.format(k=k) for name in THEIRS]
    theirs = pyndeval.ndeval(
        [
            pyndeval.SubtopicQrel(*key[:1], key[1], key[2], min(grade, 1))
            for key, grade in rows.items()
        ],
        [
            pyndeval.ScoredDoc(topic, d, s)
            for topic, scores in run.items()
            for d, s in scores.items()
        ],
        names,
        alpha=alpha,
        beta=beta,
    )
    for topic, values in theirs.items():
        row = found[universe.topics.index(topic)]
        for name, value in zip(names, row, strict=True):
            # Where nothing is relevant theirs divides by 0.
            expected = 0.0 if math.isnan(values[name]) else values[name]
            assert value == pytest.approx(expected, abs=1e-9), name


def test_a_subtopic_already_covered_gains_half():
    universe = read({("1", "a", "d1"): 1, ("1", "b", "d2"): 1, ("1", "a", "d3"): 1})
    run = {"1": {"d1": 3.0, "d3": 2.0, "d2": 1.0}}
    found = score([placed(run, universe)], universe, [NRBP.measure()]).values.item()
    assert found == (1 + 0.5 * 0.5 + 0.25) * (1 - 0.25) / 2


def test_qrels_without_subtopics_are_refused():
    universe = Universe.from_qrels({"1": {"a": 1}})
    with pytest.raises(ValueError, match="which subtopics"):
        score([placed({"1": {"a": 1.0}}, universe)], universe, [AP_IA.measure()])
    with pytest.raises(ValueError, match="without their second column"):
        by_subtopic(JudgedPairs.from_rows([("1", "a", 1)]))
