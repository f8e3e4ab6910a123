import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from campaigns.core.ranking import RULES, grouped, rank
from tests import strategies


def ordered(scores: dict[str, float], rules: str = "trec_eval-9") -> list[str]:
    docnos = [docno.encode() for docno in scores]
    order = rank(docnos, np.array(list(scores.values())), rules)
    return [docnos[i].decode() for i in order]


@given(
    st.dictionaries(
        st.sampled_from(strategies.DOCNOS),
        st.sampled_from(strategies.SCORES),
        min_size=1,
    )
)
def test_the_order_is_trec_evals_for_every_document(scores):
    """The reciprocal rank of each document, judged alone, tells the rank trec_eval gives it."""
    mine = ordered(scores)
    for docno in scores:
        evaluator = pytrec_eval.RelevanceEvaluator({"q": {docno: 1}}, {"recip_rank"})
        theirs = evaluator.evaluate({"q": scores})["q"]["recip_rank"]
        assert theirs == pytest.approx(1 / (mine.index(docno) + 1), abs=1e-12)


@given(
    st.dictionaries(
        st.sampled_from(strategies.DOCNOS),
        st.sampled_from(strategies.SCORES),
        min_size=1,
    )
)
def test_under_rules_10_scores_are_compared_as_doubles(scores):
    docnos = sorted(scores, key=str.encode, reverse=True)
    assert ordered(scores, "trec_eval-10") == sorted(
        docnos, key=scores.get, reverse=True
    )


def test_near_ties_are_ties_in_single_precision_only():
    scores = {"a": 0.10000000002, "b": 0.10000000001}
    assert ordered(scores, "trec_eval-9") == ["b", "a"]
    assert ordered(scores, "trec_eval-10") == ["a", "b"]


def test_a_list_in_order_keeps_its_order_without_a_sort():
    order = rank([b"b", b"a"], np.array([2.0, 1.0]))
    assert order.tolist() == [0, 1]


def test_an_unknown_rule_set_is_refused_by_name():
    with pytest.raises(
        ValueError,
        match=r"'trec_eval-8' is not a rule set; these are: trec_eval-9, trec_eval-10\.",
    ):
        rank([b"a"], np.array([1.0]), "trec_eval-8")


def test_no_documents_have_an_empty_order():
    assert rank([], np.array([])).tolist() == []


def test_grouping_keeps_the_order_of_the_file():
    assert grouped(np.array([1, 0, 1, 0])).tolist() == [1, 3, 0, 2]


def test_there_are_two_rule_sets():
    assert set(RULES) == {"trec_eval-9", "trec_eval-10"}
