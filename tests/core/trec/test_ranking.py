"""The one ranking against trec_eval's, which its measures show, and against its definition."""

import math

import numpy as np
import pytest
import pytrec_eval
from hypothesis import example, given
from hypothesis import strategies as st

from cleverdon.trec.docnos import Docnos
from cleverdon.trec.ranking import RULES, compared, order_by, rank, rank_all
from tests.strategies import DOCNOS, collections, rankings

# A different grade for every document tells two orders apart by their gains.
GRADES = {docno: grade for grade, docno in enumerate(DOCNOS, 1)}


def ranked(scores: dict[str, float], rules: str = "trec_eval-9") -> list[str]:
    docnos = list(scores)
    order = rank(
        Docnos.of(docno.encode() for docno in docnos), np.array(list(scores.values())), rules
    )
    return [docnos[i] for i in order]


def place(scores: dict[str, float], docno: str) -> float:
    """Where trec_eval ranks a document, from the reciprocal rank when it alone is relevant."""
    evaluator = pytrec_eval.RelevanceEvaluator({"1": {docno: 1}}, {"recip_rank"})
    return round(1 / evaluator.evaluate({"1": scores})["1"]["recip_rank"])


@given(rankings())
def test_every_document_has_the_rank_trec_eval_gives_it(scores):
    ours = ranked(scores)
    assert ours == sorted(scores, key=lambda docno: place(scores, docno))


@given(collections())
def test_gains_in_our_order_make_the_ndcg_of_trec_eval(collection):
    _, run = collection
    evaluator = pytrec_eval.RelevanceEvaluator(dict.fromkeys(run, GRADES), {"ndcg"})
    ideal = sum(
        gain / math.log2(r + 1) for r, gain in enumerate(sorted(GRADES.values(), reverse=True), 1)
    )
    for topic, values in evaluator.evaluate(run).items():
        gains = [GRADES[docno] for docno in ranked(run[topic])]
        dcg = sum(gain / math.log2(r + 1) for r, gain in enumerate(gains, 1))
        assert values["ndcg"] == pytest.approx(dcg / ideal, rel=1e-12)


@example({"a": 0.10000000002, "b": 0.10000000001}, "trec_eval-9")
@example({"a": 0.10000000002, "b": 0.10000000001}, "trec_eval-10")
@example(dict.fromkeys(["a", "B", "é", "z", "a1", "\U0001f600", "\uffee"], 1.0), "trec_eval-9")
@example({"a": 0.0, "b": -0.0}, "trec_eval-9")
@example({"a": 1.0, "b": 1e300, "c": 1e299, "d": -1e300}, "trec_eval-9")
@given(rankings(), st.sampled_from(sorted(RULES)))
def test_a_higher_score_comes_first_and_of_equals_the_higher_docno(scores, rules):
    with np.errstate(over="ignore"):
        keys = [
            (np.array(scores[docno]).astype(RULES[rules]).item(), docno.encode())
            for docno in ranked(scores, rules)
        ]
    assert keys == sorted(keys, reverse=True)
    assert len(keys) == len(scores)


@given(rankings(), st.randoms())
def test_the_order_of_the_lines_does_not_matter(scores, random):
    shuffled = list(scores.items())
    random.shuffle(shuffled)
    assert ranked(dict(shuffled)) == ranked(scores)


class Unread(Docnos):
    """Docnos that must not be looked at."""

    def take(self, _):
        raise AssertionError("a docno was read")


def unread(n: int) -> Unread:
    docnos = Docnos.of([b"d"] * n)
    return Unread(docnos.content, docnos.starts, docnos.ends)


@given(st.lists(st.integers(0, 1000), unique=True))
def test_docnos_are_not_read_where_no_scores_tie(scores):
    order = rank(unread(len(scores)), np.array(scores, dtype=float))
    assert order.tolist() == sorted(range(len(scores)), key=scores.__getitem__, reverse=True)


def test_what_is_in_order_is_not_sorted():
    topics = np.array([0, 0, 1])
    assert rank_all(topics, unread(3), np.array([3.0, 2.0, 5.0])) == slice(None)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.sampled_from(DOCNOS),
            st.sampled_from([0.0, -0.0, 0.1, 0.10000000001, 7.0]),
        )
    )
)
def test_all_topics_are_ranked_as_each_alone(lines):
    topics = np.array([topic for topic, _, _ in lines], dtype=np.int64)
    names = [docno.encode() for _, docno, _ in lines]
    scores = np.array([score for _, _, score in lines], dtype=float)
    order = np.arange(len(lines))[rank_all(topics, Docnos.of(names), scores)]
    assert sorted(order.tolist()) == list(range(len(lines)))
    for topic in range(4):
        own = np.flatnonzero(topics == topic)
        docnos = [names[i] for i in own]
        alone = own[rank(Docnos.of(docnos), scores[own])]
        found = order[topics[order] == topic]
        assert [names[i] for i in found] == [names[i] for i in alone]
    assert (np.diff(topics[order]) >= 0).all()


@given(
    st.lists(
        st.binary(min_size=1, max_size=20).filter(lambda docno: not set(docno) & set(b"\0\n")),
        unique=True,
    )
)
def test_docnos_of_any_bytes_rank_as_bytes(docnos):
    order = rank(Docnos.of(docnos), np.zeros(len(docnos)))
    assert [docnos[i] for i in order] == sorted(docnos, reverse=True)


def test_nothing_ranks_to_nothing():
    assert rank(Docnos.of([]), np.empty(0)).tolist() == []


def test_an_unknown_rule_set_is_refused_by_name():
    with pytest.raises(ValueError, match="'trec_eval-8' is not a rule set"):
        compared(np.zeros(1), "trec_eval-8")
    with pytest.raises(ValueError, match="'trec_eval-8' is not a rule set"):
        rank(Docnos.of([]), np.empty(0), "trec_eval-8")


def test_a_pool_can_break_ties_the_other_way_or_follow_the_rank_column():
    docnos, scores = Docnos.of([b"c", b"b", b"a", b"d"]), np.array([2.0, 2.0, 2.0, 1.0])

    def order(rule, ranks=None):
        return docnos.take(order_by(rule, docnos, scores, ranks)).tolist()

    assert order("trec_eval-9") == [b"c", b"b", b"a", b"d"]
    assert order("docno-ascending") == [b"a", b"b", b"c", b"d"]
    # Equal ranks keep the default order.
    assert order("file-rank", np.array([7, 1, 7, 0])) == [b"d", b"b", b"c", b"a"]
    with pytest.raises(ValueError, match="without its rank column"):
        order("file-rank")
    with pytest.raises(ValueError, match="'other' is not an order rule: trec_eval-9, "):
        order("other")
