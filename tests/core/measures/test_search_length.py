"""Expected search length, against every order of the ties."""

from itertools import chain, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.inputs.universe import Universe
from measures.nonrelevant import ESL
from measures.scoring.scoring import score
from tests.core.measures.made import placed

DOCNOS = st.sampled_from("abcdef")


def length(qrels, run, relevant=1, **options):
    universe = Universe.from_qrels({"1": qrels})
    measure = ESL.measure(relevant=relevant, judged_only=options.pop("judged_only", False))
    runs = [placed({"1": run}, universe)]
    return score(runs, universe, [measure], **options).values.item()


def over_all_orders(qrels, groups, relevant):
    """The mean, over all orders inside of groups, of the others passed before the relevant document wanted."""
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


def groups_of(run, rest):
    scores = sorted(set(run.values()), reverse=True)
    tied = [[d for d in run if run[d] == score] for score in scores]
    return [*tied, list(rest)]


@given(
    st.dictionaries(DOCNOS, st.integers(0, 2), min_size=1),
    st.dictionaries(DOCNOS, st.sampled_from([1.0, 2.0]), min_size=1),
    st.integers(1, 4),
    st.booleans(),
)
def test_it_is_the_mean_over_every_order_of_the_ties(qrels, run, relevant, whole):
    collection = "abcdefg" if whole else qrels
    groups = groups_of(run, sorted(set(collection) - set(run)))
    expected = over_all_orders(qrels, groups, relevant)
    ours = length(qrels, run, relevant, n_documents=7 if whole else 0)
    assert ours == pytest.approx(expected)


@pytest.mark.parametrize(
    ("run", "relevant", "value"),
    [
        ("x y a", 1, 2),  # unjudged documents are passed too
        ("x a y b", 2, 2),
        ("a x", 2, 1 + 1 / 2),  # b and c are left: c comes before b every other time
        ("a b", 3, 0),  # only two are known
    ],
)
def test_without_ties_documents_are_counted(run, relevant, value):
    grades = {"a": 1, "b": 1, "c": 0}
    scores = {docno: float(-rank) for rank, docno in enumerate(run.split())}
    assert length(grades, scores, relevant) == value


def test_a_topic_without_relevant_documents_has_length_0():
    assert length({"a": 0}, {"a": 1.0}) == 0


def test_a_missing_topic_is_searched_at_random():
    universe = Universe.from_qrels({"1": {"a": 1}, "2": {"a": 1, "b": 0, "c": 0}})
    run = placed({"1": {"a": 1.0}}, universe)
    assert score([run], universe, [ESL.measure()]).values.tolist() == [[[0.0], [1.0]]]


def test_of_a_condensed_list_only_judged_documents_are_passed():
    run = {"x": 3.0, "c": 2.0, "a": 2.0, "y": 2.0}
    assert length({"a": 1, "c": 0}, run, judged_only=True) == 1 / 2


@given(st.permutations("abcxy"), st.permutations("abcxy"))
def test_several_runs_are_measured_each_by_itself(first, second):
    universe = Universe.from_qrels({"1": {"a": 1, "b": 2, "c": 0}})
    runs = [
        placed({"1": {docno: float(-rank // 2) for rank, docno in enumerate(order)}}, universe)
        for order in (first, second)
    ]
    together = score(runs, universe, [ESL.measure(relevant=2)]).values
    alone = [score([run], universe, [ESL.measure(relevant=2)]).values for run in runs]
    assert together.ravel().tolist() == [values.item() for values in alone]


def test_at_least_one_document_is_wanted():
    with pytest.raises(ValueError, match="from 1"):
        ESL.measure(relevant=0)
