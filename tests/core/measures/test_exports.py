"""Tables as files."""

import csv
import io
import json

import pytest

from cleverdon.measures import exports
from cleverdon.measures.exports import ScoreRow, ScoreTable, to_csv, to_json, to_latex, to_trec_eval

BOARD = ScoreTable(
    {"campaign": "Robust & quick", "qrels": 2, "rules": "trec_eval-9", "topic_set": "judged"},
    ["run", "team", "topics"],
    ["AP", "nDCG@10", "NumRet", "RBP(p=0.5,graded=False)"],
    [
        ScoreRow(["b_1", "A & B", 3], [0.1, 1 / 3, 12.0, 0.5], "b_1", "all", 3),
        ScoreRow(["a", "C", 3], [0.25, 0.2, 7.0, 0.5], "a", "all", 3),
    ],
)


def test_csv_has_every_digit_and_says_what_was_measured():
    rows = list(csv.DictReader(io.StringIO(to_csv(BOARD))))
    assert float(rows[0]["nDCG@10"]) == 1 / 3
    assert (rows[1]["run"], rows[1]["qrels"], rows[1]["rules"]) == ("a", "2", "trec_eval-9")


def test_json_has_the_facts_and_an_object_a_row():
    content = json.loads(to_json(BOARD))
    assert content["topic_set"] == "judged"
    assert content["rows"][0]["scores"]["nDCG@10"] == 1 / 3
    assert content["rows"][0]["team"] == "A & B"


def test_latex_escapes_text_and_sets_the_best_in_bold():
    lines = to_latex(BOARD).splitlines()
    assert "% campaign: Robust & quick" in lines
    assert r"\begin{tabular}{lllrrrr}" in lines
    assert r"b\_1 & A \& B & 3 & 0.1000 & \textbf{0.3333} & 12.0000 & \textbf{0.5000} \\" in lines


def test_latex_sets_the_lowest_in_bold_where_that_is_the_best():
    names = ["ESL", "Fallout@10", "Unjudged@10"]
    rows = [ScoreRow([tag], [v, v, v], tag, "all", 1) for tag, v in (("a", 0.5), ("b", 0.25))]
    lines = to_latex(ScoreTable({}, ["run"], names, rows)).splitlines()
    assert r"a & 0.5000 & 0.5000 & 0.5000 \\" in lines
    assert r"b & \textbf{0.2500} & \textbf{0.2500} & 0.2500 \\" in lines


def test_latex_compares_topics_with_topics_and_not_with_their_aggregate():
    rows = [
        ScoreRow([topic], [value, 3.0], "a", topic, 2) for topic, value in (("1", 0.2), ("2", 0.3))
    ]
    aggregate = ScoreRow(["all"], [0.3, 6.0], "a", "all", 2)
    lines = to_latex(ScoreTable({}, ["topic"], ["AP", "NumRet"], [*rows, aggregate]))
    assert [line for line in lines.splitlines() if "&" in line][1:] == [
        r"1 & 0.2000 & 3.0000 \\",
        r"2 & \textbf{0.3000} & 3.0000 \\",
        r"all & 0.3000 & 6.0000 \\",
    ]


def test_a_backslash_is_a_word_in_latex():
    assert exports.escaped("\\~{") == r"\textbackslash{}\textasciitilde{}\{"


def test_trec_eval_lines_are_laid_out_as_trec_eval_does():
    assert to_trec_eval(BOARD).splitlines()[:6] == [
        "runid                 \tall\tb_1",
        "num_q                 \tall\t3",
        "map                   \tall\t0.1000",
        "ndcg_cut_10           \tall\t0.3333",
        "num_ret               \tall\t12",
        "RBP(p=0.5,graded=False)\tall\t0.5000",
    ]


def test_a_geometric_mean_is_not_a_topics():
    rows = [ScoreRow([topic], [0.4, 0.5], "a", topic, 1) for topic in ("1", "all")]
    text = to_trec_eval(ScoreTable({}, ["topic"], ["GMAP", "AP"], rows))
    names = [" ".join(line.split()[:2]) for line in text.splitlines()]
    assert names == ["map 1", "runid all", "num_q all", "gm_map all", "map all"]


@pytest.mark.parametrize("kind", exports.EXPORTS)
def test_an_empty_table_is_a_file_too(kind):
    empty = ScoreTable({"rules": "trec_eval-9"}, ["run"], ["AP"], [])
    assert isinstance(exports.EXPORTS[kind][1](empty), str)


@pytest.mark.parametrize("nothing", [None, float("nan"), float("inf")])
def test_what_has_no_value_is_empty_in_every_file(nothing):
    beside = {"low": [nothing, 0.5], "class": [None, "a"]}
    rows = [ScoreRow(["b"], [nothing, 0.5], "b", "all", 0, beside)]
    table = ScoreTable({}, ["run"], ["AP", "P@5"], rows)
    assert exports.to_csv(table).splitlines()[1] == "b,,0.5,,0.5,,a"
    [row] = json.loads(exports.to_json(table), parse_constant=pytest.fail)["rows"]
    assert (row["scores"], row["low"]["AP"]) == ({"AP": None, "P@5": 0.5}, None)
    assert r"b & -- & \textbf{0.5000} \\" in exports.to_latex(table)
    assert [line.split()[0] for line in to_trec_eval(table).splitlines()] == [
        "runid",
        "num_q",
        "P_5",
    ]
