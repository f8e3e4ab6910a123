"""Fallout by its sets, search length over every order of ties, utility by its four cells."""

from itertools import chain, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.nonrelevant import ESL, FALLOUT, SET_FALLOUT, UTILITY
from cleverdon.measures.scoring.scoring import score
from tests.core.measures.made import NINE, TEN, graded, one, orders, placed, values

DOCNOS = st.sampled_from("abcdef")


@given(graded(), orders(), st.integers(1, 3), st.integers(1, 12), st.booleans())
def test_fallout_is_the_share_of_the_others_retrieved(qrels, rankings, level, cutoff, whole):
    """The others are all of a collection of known size, and else the judged ones."""
    n_documents = 1000 if whole else 0
    given = {"level": level, "n_documents": n_documents}
    ours = values(FALLOUT.measure(cutoff=cutoff), qrels, rankings, **given)
    for topic, value in ours.items():
        retrieved, grades = set(rankings[topic][:cutoff]), qrels[topic]
        relevant = {d for d, grade in grades.items() if grade >= level}
        judged = {d for d, grade in grades.items() if 0 <= grade < level}
        n_others = n_documents - len(relevant) if whole else len(judged)
        passed = retrieved - relevant if whole else retrieved & judged
        assert value == (len(passed) / n_others if n_others else 0.0)


def test_fallout_of_the_set_reads_the_level_and_is_0_when_all_are_relevant():
    assert one({"a": 1}, "a", SET_FALLOUT.measure()) == 0
    assert one({"a": 1, "b": 0}, "a", SET_FALLOUT.measure(level=2)) == pytest.approx(1 / 2)


def over_all_orders(qrels, groups, relevant):
    """The mean number of others passed before the relevant document wanted, in every order."""
    wanted = min(relevant, sum(grade > 0 for grade in qrels.values()))
    lengths = [
        passed(qrels, chain.from_iterable(order), wanted)
        for order in product(*map(permutations, groups))
    ]
    return sum(lengths) / len(lengths)


def passed(qrels, order, wanted):
    others = 0
    for docno in order:
        if wanted == 0:
            break
        is_relevant = qrels.get(docno, 0) > 0
        wanted -= is_relevant
        others += not is_relevant
    return others


@given(
    st.dictionaries(DOCNOS, st.integers(0, 2), min_size=1),
    st.dictionaries(DOCNOS, st.sampled_from([1.0, 2.0]), min_size=1),
    st.integers(1, 4),
    st.booleans(),
)
def test_search_length_is_the_mean_over_every_order_of_the_ties(qrels, run, relevant, whole):
    rest = sorted(set("abcdefg" if whole else qrels) - set(run))
    groups = [[d for d in run if run[d] == value] for value in (2.0, 1.0)]
    expected = over_all_orders(qrels, [*groups, rest], relevant)
    measure = ESL.measure(relevant=relevant)
    ours = values(measure, {"1": qrels}, {"1": run}, n_documents=7 if whole else 0)
    assert ours["1"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ranking", "relevant", "value"),
    [
        ("x y a", 1, 2),  # unjudged documents are passed too
        ("x a y b", 2, 2),
        ("a x", 2, 1 + 1 / 2),  # b and c are left: c comes before b every other time
        ("a b", 3, 0),  # only two are known
    ],
)
def test_without_ties_documents_are_counted(ranking, relevant, value):
    measure = ESL.measure(relevant=relevant)
    assert one({"a": 1, "b": 1, "c": 0}, ranking, measure) == value


def test_a_topic_without_relevant_documents_has_length_0():
    assert one({"a": 0}, "a", ESL.measure()) == 0


def test_of_a_condensed_list_only_judged_documents_are_passed():
    run = {"1": {"x": 3.0, "c": 2.0, "a": 2.0, "y": 2.0}}
    assert values(ESL.measure(judged_only=True), {"1": {"a": 1, "c": 0}}, run) == {"1": 1 / 2}


def test_at_least_one_document_is_wanted():
    with pytest.raises(ValueError, match="from 1"):
        ESL.measure(relevant=0)


@pytest.mark.parametrize(
    ("coefficients", "rules", "there", "missing"),
    [
        (None, NINE, 1 - 2, 0),
        (None, TEN, 1 - 2, 0),
        ("2,-1,-1,0", NINE, 2 - 2 - 2, 0),
        ("2,-1,-1,0", TEN, 2 - 2 - 2, -1 - 3),
        ("0,0,0,0.5", NINE, 0.5 * (100 - 3 - 3 + 1), 0),
    ],
)
def test_utility_weighs_the_four_cells(coefficients, rules, there, missing):
    grades = {"a": 1, "b": 1, "c": 1, "d": 0}
    universe = Universe.from_qrels({"1": grades, "2": grades})
    run = placed({"1": ["a", "x", "d"]}, universe)
    measure = UTILITY.measure(coefficients=coefficients)
    found = score([run], universe, [measure], rules=rules, n_documents=100)
    assert found.values[0, :, 0].tolist() == [there, missing]
