"""Scores for notebooks."""

import csv
import gzip
import io
from decimal import Decimal
from itertools import permutations

import numpy as np
import pytest

from cleverdon.measures.interface import evaluate
from cleverdon.measures.scoring.scores import TOPIC_SETS
from cleverdon.trec.streams import FormatError
from tests.strategies import run_lines

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
RUN = {"1": {"b": 2.0, "a": 1.0}}


def test_files_streams_and_mappings_give_the_same(tmp_path):
    qrels = "".join(f"{t} 0 {d} {g}\n" for t, grades in QRELS.items() for d, g in grades.items())
    text = "\n".join(run_lines(RUN))
    (tmp_path / "qrels").write_text(qrels)
    (tmp_path / "run.gz").write_bytes(gzip.compress(text.encode()))
    expected = evaluate(QRELS, RUN, ["AP", "P@5"])
    for judged, run in (
        (tmp_path / "qrels", tmp_path / "run.gz"),
        (str(tmp_path / "qrels"), io.BytesIO(text.encode())),
        (io.BytesIO(qrels.encode()), RUN),
    ):
        found = evaluate(judged, run, ["AP", "P@5"])
        assert np.array_equal(found.values, expected.values)
        assert found.topics == ("1", "2")


def test_several_runs_have_names():
    other = {"2": {"a": 1.0}}
    found = evaluate(QRELS, {"first": RUN, "second": other}, ["AP"])
    assert found.runs == ("first", "second")
    assert found.aggregates.tolist() == [[0.25], [0.5]]
    assert found.aggregate("map", "second") == 0.5
    assert found.per_topic("AP", "first") == {"1": 0.5, "2": 0.0}
    files = [
        io.BytesIO("\n".join(run_lines(run, tag)).encode())
        for run, tag in ((RUN, "x"), (other, "y"))
    ]
    assert evaluate(QRELS, files, ["AP"]).runs == ("x", "y")
    with pytest.raises(ValueError, match="Two runs are called 'run'"):
        evaluate(QRELS, [RUN, other], ["AP"])


def test_several_processes_find_the_same_and_raise_the_first_error():
    runs = {f"run {n}": {"1": {"a": 1.0, "b": float(n - 3)}} for n in range(7)}
    one, three = (evaluate(QRELS, runs, ["AP"], n_processes=n) for n in (1, 3))
    assert one.runs == three.runs == tuple(runs)
    assert np.array_equal(one.values, three.values)
    bad = [*runs.items(), ("bad", io.BytesIO(b"1 Q0 a 1\n")), ("worse", io.BytesIO())]
    with pytest.raises(FormatError, match="Line 1: It has 4 columns"):
        evaluate(QRELS, dict(bad), ["AP"], n_processes=2)


@pytest.mark.parametrize(
    ("asked", "value", "n_topics"),
    [
        ({}, 0.25, 2),
        ({"topic_set": "retrieved"}, 0.5, 1),
        ({"level": 2}, 0.0, 2),
        ({"depth": 1}, 0.0, 2),
        ({"level": 2, "topic_set": "relevant"}, 0.0, 1),
        ({"rules": "trec_eval-10"}, 0.25, 2),
        ({"judged_only": True}, 0.25, 2),
    ],
)
def test_what_is_asked_for_is_done(asked, value, n_topics):
    found = evaluate(QRELS, RUN, ["AP"], **asked)
    assert found.aggregates.item() == value
    assert found.n_topics.tolist() == [n_topics]


def test_csv_has_a_line_for_each_topic_and_the_aggregates():
    text = evaluate(QRELS, RUN, ["AP", "nDCG(gains={1:1,2:3})"]).to_csv()
    assert text.splitlines()[0] == 'run,topic,AP,"nDCG(gains={1:1,2:3})"'
    assert [line.split(",")[1] for line in text.splitlines()[1:]] == ["1", "2", "all"]


def test_a_second_column_of_subtopics_or_assessors_is_read_when_measures_ask_for_it():
    text = b"1 s a 1\n1 t a 0\n1 t b 1\n"
    found = evaluate(io.BytesIO(text), RUN, ["StRecall@1", "AP"])
    assert found.aggregates.tolist() == [[0.5, 1.0]]
    assert evaluate(io.BytesIO(text), RUN, ["map_avgjg"]).aggregates.item() == 0.75
    with pytest.raises(ValueError, match="One file cannot hold"):
        evaluate(io.BytesIO(text), RUN, ["map_avgjg", "AP_IA"])


def test_names_are_those_of_the_command():
    found = evaluate(QRELS, RUN, ["P.1,2.9", "rbp.p=0.5"])
    assert found.measures == ("P@1", "P@2", "RBP(p=0.5,graded=True)")
    assert found.aggregate("rbp.p=0.5") == found.aggregates[0, 2] == 0.125
    usual = evaluate(QRELS, RUN, "MRR@10, MAP RBP(p=0.5, graded=True)")
    assert usual.measures == ("RR@10", "AP", "RBP(p=0.5,graded=True)")
    assert usual.aggregate("mrr@10") == usual.aggregates[0, 0]


@pytest.mark.parametrize("measure", ["AP", "StRecall@5", "map_avgjg", "xinfAP"])
def test_judgments_that_hold_nothing_are_refused(measure):
    for qrels in ({}, {"1": {}}, io.BytesIO(), io.BytesIO(b"# nothing\n")):
        with pytest.raises(ValueError, match=r"hold no judgments|is empty"):
            evaluate(qrels, RUN, [measure], rules="trec_eval-10")


def test_what_is_not_there_is_refused():
    found = evaluate(QRELS, RUN, ["AP"])
    with pytest.raises(KeyError):
        found.aggregate("RR")
    with pytest.raises(KeyError):
        found.per_topic("AP", "other")
    with pytest.raises(ValueError, match="'most' is not a topic set"):
        evaluate(QRELS, RUN, ["AP"], topic_set="most")
    with pytest.raises(ValueError, match="not a finite number"):
        evaluate(QRELS, {"1": {"a": float("nan")}}, ["AP"])
    with pytest.raises(FormatError, match="Line 1"):
        evaluate(io.BytesIO(b"x\n"), RUN, ["AP"])


WITHOUT = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 0}}
FIRST_ONLY = {"1": {"a": 1.0}}


@pytest.mark.parametrize(
    ("topic_set", "counted"), [("judged", "123"), ("relevant", "12"), ("retrieved", "1")]
)
def test_topics_that_do_not_count_have_no_value(topic_set, counted):
    found = evaluate(WITHOUT, FIRST_ONLY, ["AP", "num_ret"], topic_set=topic_set)
    by_topic = found.per_topic("AP")
    assert {topic for topic, value in by_topic.items() if not np.isnan(value)} == set(counted)
    assert np.nanmean(list(by_topic.values())) == found.aggregate("AP")
    rows = {row["topic"]: row for row in csv.DictReader(io.StringIO(found.to_csv()))}
    for topic, value in by_topic.items():
        assert rows[topic]["AP"] == ("" if np.isnan(value) else str(value))
        assert bool(rows[topic]["NumRet"]) == (topic in counted)


def test_an_aggregate_over_no_topic_is_nothing():
    names = ["AP", "num_ret", "GMAP", "MicroP"]
    found = evaluate({"1": {"a": 0}}, FIRST_ONLY, names, topic_set="relevant")
    assert found.n_topics.tolist() == [0]
    assert np.isnan(found.aggregates).all()
    assert found.to_csv().splitlines()[1:] == ["run,1,,,,", "run,all,,,,"]


@pytest.mark.parametrize("topic_set", TOPIC_SETS)
def test_the_order_of_runs_and_topics_changes_nothing(topic_set):
    runs = {"none": {}, "x": {"2": {"b": 0.1}, "1": {"a": 0.3, "z": 0.3}}, "y": {"1": {}}}
    expected = evaluate(WITHOUT, runs, ["AP", "GMAP"], topic_set=topic_set)
    for names in permutations(runs):
        for topics in permutations(WITHOUT):
            given = {
                name: {topic: runs[name][topic] for topic in topics if topic in runs[name]}
                for name in names
            }
            qrels = {topic: WITHOUT[topic] for topic in topics}
            found = evaluate(qrels, given, ["AP", "GMAP"], topic_set=topic_set)
            assert found.topics == expected.topics
            at = [found.runs.index(name) for name in expected.runs]
            assert np.array_equal(found.values[at], expected.values, equal_nan=True)
            assert np.array_equal(found.aggregates[at], expected.aggregates, equal_nan=True)


def test_names_may_be_numbers_and_bytes():
    expected = evaluate({"301": {"7": 1, "é": 0}}, {"one": {"301": {"7": 1.0, "é": 2.0}}}, ["AP"])
    for qrels, run in (
        ({301: {7: 1, "é": 0}}, {"one": {301: {7: 1.0, "é": 2.0}}}),
        ({b"301": {b"7": True, "é".encode(): 0.0}}, {b"one": {b"301": {b"7": 1, "é": 2}}}),
        (
            {np.int64(301): {np.int32(7): np.float32(1), "é": Decimal(0)}},
            {"one": {"301": {7: 1, "é": 2}}},
        ),
    ):
        found = evaluate(qrels, run, ["AP"])
        assert (found.runs, found.topics) == (("one",), ("301",))
        assert found.aggregates.tolist() == expected.aggregates.tolist()


@pytest.mark.parametrize(
    ("qrels", "run", "sentence"),
    [
        ({1.5: {"a": 1}}, RUN, r"A topic is a text, not 1\.5 \(float\)"),
        ({"1": {None: 1}}, RUN, r"A docno is a text, not None \(NoneType\)"),
        ({True: {"a": 1}}, RUN, r"A topic is a text, not True \(bool\)"),
        ([QRELS], RUN, r"The qrels are a list: give a file or a mapping, \{topic"),
        ({"1": ["a"]}, RUN, r"Topic 1 of the qrels has \['a'\] \(list\): give a mapping"),
        ({1: {"a": 1}, "1": {"b": 1}}, RUN, "The topic 1 comes twice in the qrels"),
        ({"1": {1: 1, b"1": 1}}, RUN, "The docno 1 comes twice in topic 1 of the qrels"),
        ({"1": {"a": 0.5}}, RUN, r"grade of document a of topic 1 is 0\.5 \(float\), and no whole"),
        ({"1": {"a": float("nan")}}, RUN, "no whole number"),
        ({"1": {"a": "1"}}, RUN, r"'1' \(str\), and no whole number"),
        ({"1": {"a": 10**9}}, RUN, "beyond 999,999,999"),
        (
            QRELS,
            [("one", RUN)],
            r"A run is a tuple: give runs with names as a mapping, dict\(pairs\)",
        ),
        (QRELS, [["one", RUN]], "A run is of the type list"),
        (QRELS, 5, "A run is of the type int"),
        (QRELS, b"run.txt", "A run is of the type bytes"),
        (QRELS, {2.5: RUN}, r"A run's name is a text, not 2\.5 \(float\)"),
        (QRELS, {"one": RUN, "two": ["1"]}, "A run is of the type list"),
        (QRELS, {"1": ["a"]}, r"Topic 1 of the run has \['a'\]"),
        (
            QRELS,
            {"1": {"a": "x"}},
            r"score of document a of topic 1 is 'x' \(str\), and not a finite",
        ),
        (QRELS, {"1": {"a": 10**400}}, "not a finite number"),
        (QRELS, {1: {"a": 1}, "1": {"a": 1}}, "The topic 1 comes twice in the run"),
    ],
)
def test_what_is_no_name_no_number_and_no_mapping_is_refused_with_a_sentence(qrels, run, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        evaluate(qrels, run, ["AP"])
