"""Qrels and runs in the shapes that ir_measures, pytrec_eval and PyTerrier have."""

import ir_measures
import pandas as pd
import pytest
import pytrec_eval

from cleverdon import evaluate

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": 0}}
RUN = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 3.0}}
QREL_ROWS = [ir_measures.Qrel(t, d, g) for t, its in QRELS.items() for d, g in its.items()]
RUN_ROWS = [ir_measures.ScoredDoc(t, d, s) for t, its in RUN.items() for d, s in its.items()]
PYTERRIER = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
SHAPES = {
    "mappings": lambda rows: rows,
    "rows": lambda rows: [QREL_ROWS, RUN_ROWS][rows is RUN],
    "tables": lambda rows: pd.DataFrame([QREL_ROWS, RUN_ROWS][rows is RUN]),
    "rows one by one": lambda rows: iter([QREL_ROWS, RUN_ROWS][rows is RUN]),
    "tables of PyTerrier": lambda rows: SHAPES["tables"](rows).rename(columns=PYTERRIER),
}


@pytest.mark.parametrize("of_qrels", SHAPES)
@pytest.mark.parametrize("of_run", SHAPES)
def test_every_shape_gives_the_same(of_qrels, of_run):
    expected = evaluate(QRELS, RUN, "AP P@5 nDCG@10")
    found = evaluate(SHAPES[of_qrels](QRELS), SHAPES[of_run](RUN), "AP P@5 nDCG@10")
    assert (found.runs, found.topics) == (expected.runs, expected.topics)
    assert found.values.tolist() == expected.values.tolist()


def test_they_are_the_values_of_the_other_tools():
    ours = evaluate(QREL_ROWS, RUN_ROWS, "AP")
    theirs = pytrec_eval.RelevanceEvaluator(QRELS, {"map"}).evaluate(RUN)
    assert ours.per_topic("AP") == {topic: its["map"] for topic, its in theirs.items()}
    rows = ir_measures.iter_calc([ir_measures.AP], QREL_ROWS, RUN_ROWS)
    assert ours.per_topic("AP") == {row.query_id: row.value for row in rows}


def test_several_runs_have_names_in_any_shape():
    table = SHAPES["tables"](RUN)
    given = {"one": RUN_ROWS, "two": table, "three": RUN, "four": iter(RUN_ROWS)}
    found = evaluate(QRELS, given, "AP")
    assert found.runs == ("one", "two", "three", "four")
    assert len(set(found.aggregates[:, 0].tolist())) == 1


@pytest.mark.parametrize(
    ("qrels", "run", "sentence"),
    [
        (pd.DataFrame({"qid": ["1"]}), RUN, "The rows of the qrels have no doc_id or docno"),
        (QRELS, pd.DataFrame(QREL_ROWS), "The rows of the run have no score"),
        (QREL_ROWS, QREL_ROWS, "The rows of the run have no score"),
        ([*QREL_ROWS, QREL_ROWS[0]], RUN, "Document a comes twice in topic 1 of the qrels"),
        (QRELS, {"one": [*RUN_ROWS, RUN_ROWS[0]]}, "Document b comes twice in topic 1 of the run"),
    ],
)
def test_rows_that_lack_something_or_repeat_it_are_refused(qrels, run, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        evaluate(qrels, run, "AP")
