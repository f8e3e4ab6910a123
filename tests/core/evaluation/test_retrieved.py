"""What runs retrieved: counts as trec_eval has them, rankings beside each other, who found what."""

import numpy as np
import pytest
import pytrec_eval

from cleverdon.measures.inputs.placements import place
from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.runs.run import RankedRun
from evaluation.core.retrieved import beside, finders, found_by, ranked_documents
from evaluation.core.topics import hardness
from tests.core.measures.made import placed, ranked
from tests.core.measures.test_equal_to_trec_eval import collection

SEEDS = range(40)


def in_order(run: dict[str, float]) -> list[str]:
    """The documents as trec_eval ranks them: by score as a C float, ties by docno descending."""
    return sorted(run, key=lambda docno: (np.float32(run[docno]), docno.encode()), reverse=True)


@pytest.mark.parametrize("level", [1, 2])
def test_what_a_run_found_is_what_trec_eval_counts(level):
    for seed in SEEDS:
        qrels, run = collection(seed)
        if not qrels or not run:
            continue
        judged = Universe.from_qrels(qrels)
        names = {"num_rel", "num_rel_ret"}
        theirs = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level).evaluate(run)
        counts = found_by(placed(run, judged), judged, level, "trec_eval-9")
        for topic, found in zip(judged.topics, counts, strict=True):
            first = in_order(run.get(topic, {}))[:10]
            assert found.n_unjudged == sum(qrels[topic].get(docno, -1) < 0 for docno in first)
            expected = theirs.get(topic, {}).get("num_rel_ret", 0)
            assert found.n_found == expected
            assert found.n_relevant == sum(grade >= level for grade in qrels[topic].values())
            if topic in theirs:
                assert found.n_relevant == theirs[topic]["num_rel"]


def of_one(run: dict[str, dict[str, float]], topic: str, rules: str) -> RankedRun:
    return ranked(run).of_topic(topic).under(rules)


def test_a_ranking_has_the_scorers_order_and_no_grade_where_there_is_none():
    for seed in SEEDS:
        qrels, run = collection(seed)
        for topic in qrels.keys() & run.keys():
            judged = Universe.from_qrels({topic: qrels[topic]})
            rows = ranked_documents(of_one(run, topic, "trec_eval-9"), judged)
            docnos = in_order(run[topic])
            assert [row.docno for row in rows] == docnos
            assert [row.rank for row in rows] == list(range(1, len(docnos) + 1))
            assert [row.grade for row in rows] == [qrels[topic].get(docno) for docno in docnos]
            assert [row.score for row in rows] == [run[topic][docno] for docno in docnos]
            hidden = ranked_documents(of_one(run, topic, "trec_eval-9"), None)
            assert {row.grade for row in hidden} == {None}
        if run:
            assert not ranked_documents(of_one(run, "no topic", "trec_eval-10"), None)


def test_the_rules_of_trec_eval_10_break_ties_of_single_precision():
    run = {"1": {"a": 0.10000000001, "b": 0.1000000001, "c": 0.1}}
    nine, ten = (of_one(run, "1", f"trec_eval-{version}") for version in (9, 10))
    assert [row.docno for row in ranked_documents(nine, None)] == ["c", "b", "a"]
    assert [row.docno for row in ranked_documents(ten, None)] == ["b", "a", "c"]


def test_each_document_has_its_rank_in_the_other_ranking():
    first, second = (
        ranked_documents(ranked({"1": docnos.split()}), None) for docnos in ("a b c d", "c x a")
    )
    assert [each.other for each in beside(first, second)] == [3, None, 1, None]
    assert [each.other for each in beside(second, first)] == [3, None, 1]


def test_who_found_what_is_what_the_rankings_say():
    generator = np.random.default_rng(7)
    docnos = [f"d{n}" for n in range(12)]
    for _ in range(20):
        grades = dict(zip(docnos, generator.integers(-1, 4, 12).tolist(), strict=True))
        sizes = generator.integers(0, 9, 5).tolist()
        runs = [generator.choice([*docnos, "u1", "u2"], n, replace=False).tolist() for n in sizes]
        judged = Universe.from_qrels({"1": grades})
        placements = [place(ranked({"1": each} if each else {"2": ["x"]}), judged) for each in runs]
        rows = finders(placements, judged, level=2)
        assert {row.docno: row.grade for row in rows} == {d: g for d, g in grades.items() if g >= 2}
        for row in rows:
            ranks = {n: run.index(row.docno) + 1 for n, run in enumerate(runs) if row.docno in run}
            assert row.ranks == ranks
            assert row.best == min(ranks.values(), default=None)
        assert [len(row.ranks) for row in rows] == sorted(len(row.ranks) for row in rows)


@pytest.mark.parametrize("sign", [1, -1])
def test_hardness_is_the_place_of_the_median(sign):
    generator = np.random.default_rng(3)
    for _ in range(20):
        values = generator.integers(0, 4, (5, 8)) / 4
        values[generator.random((5, 8)) < 0.2] = np.nan
        values[:, 2] = np.nan
        known = [0, 1, *range(3, 8)]
        medians = [np.median(column[~np.isnan(column)]) for column in values[:, known].T]
        for topic, own in zip(known, medians, strict=True):
            harder = sum(sign * each < sign * own for each in medians)
            assert hardness(values, topic, sign) == (1 + harder, 7, own)
        assert hardness(values, 2, sign) is None
