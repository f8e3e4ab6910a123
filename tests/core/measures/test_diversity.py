"""Measures of diversity against ndeval's, through its wheel, and by hand."""

import io
import math

import pyndeval
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.subtopics import by_subtopic
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import parse
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.qrels import GROUPED, JudgedPairs, read_qrels
from tests.core.measures.made import placed

TOPICS, SUBTOPICS = st.sampled_from("12"), st.sampled_from("1234")
DOCNOS = st.sampled_from([f"d{number:02}" for number in range(12)])
JUDGED = st.dictionaries(st.tuples(TOPICS, SUBTOPICS, DOCNOS), st.integers(0, 2), min_size=1)
RANKED = st.dictionaries(TOPICS, st.lists(DOCNOS, unique=True, min_size=1), min_size=1)
# Names of ndeval, and ours.
NAMES = """alpha-DCG@{k} alpha_DCG(alpha={alpha})@{k}
alpha-nDCG@{k} alpha_nDCG(alpha={alpha})@{k}
ERR-IA@{k} ERR_IA(alpha={alpha})@{k}
nERR-IA@{k} nERR_IA(alpha={alpha})@{k}
strec@{k} StRecall@{k}
P-IA@{k} P_IA@{k}
NRBP NRBP(alpha={alpha},beta={beta})
nNRBP nNRBP(alpha={alpha},beta={beta})
MAP-IA AP_IA"""
DEPTHS, ALPHAS, BETAS = (2, 5, 10, 20), (0.0, 0.3, 0.5), (0.5, 0.8)


def read(rows) -> Universe:
    text = "".join(
        f"{topic} {subtopic} {docno} {grade}\n" for (topic, subtopic, docno), grade in rows.items()
    )
    return by_subtopic(read_qrels(io.BytesIO(text.encode()), layout=GROUPED))


@given(JUDGED, RANKED, *map(st.sampled_from, (DEPTHS, ALPHAS, BETAS)))
def test_every_value_is_ndevals(rows, rankings, k, alpha, beta):
    names = NAMES.format(k=k, alpha=alpha, beta=beta).split()
    universe = read(rows)
    run, measures = placed(rankings, universe), [parse(name) for name in names[1::2]]
    found = score([run], universe, measures).values[0].tolist()
    judged = [pyndeval.SubtopicQrel(*key, min(grade, 1)) for key, grade in rows.items()]
    scored = [
        pyndeval.ScoredDoc(topic, docno, -float(rank))
        for topic, docnos in rankings.items()
        for rank, docno in enumerate(docnos)
    ]
    theirs = pyndeval.ndeval(judged, scored, names[::2], alpha=alpha, beta=beta)
    for topic, values in theirs.items():
        # Where nothing is relevant theirs divides by 0.
        expected = [0.0 if math.isnan(values[name]) else values[name] for name in names[::2]]
        assert found[universe.topics.index(topic)] == pytest.approx(expected, abs=1e-9)


def test_a_subtopic_already_covered_gains_half():
    universe = read({("1", "a", "d1"): 1, ("1", "b", "d2"): 1, ("1", "a", "d3"): 1})
    run = placed({"1": ["d1", "d3", "d2"]}, universe)
    found = score([run], universe, [parse("NRBP")]).values.item()
    assert found == (1 + 0.5 * 0.5 + 0.25) * (1 - 0.25) / 2


def test_qrels_without_subtopics_are_refused():
    universe = Universe.from_qrels({"1": {"a": 1}})
    with pytest.raises(ValueError, match="which subtopics"):
        score([placed({"1": ["a"]}, universe)], universe, [parse("AP_IA")])
    with pytest.raises(ValueError, match="without their second column"):
        by_subtopic(JudgedPairs.from_rows([("1", "a", 1)]))
