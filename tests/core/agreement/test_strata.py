"""What documents of strata weigh, and that this makes agreement that of all documents."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.core.weights import sizes_of, weights_of
from assess.core.sampling import draw_by_grade
from cleverdon.agreement.ratings import Ratings
from tests.core.agreement.test_coefficients import figure

STRATA = st.dictionaries(
    st.integers(0, 60), st.tuples(st.sampled_from([None, 0, 1, 2])), min_size=1
)


@given(STRATA, st.data())
def test_strata_weigh_as_many_documents_as_they_have_and_a_topic_as_many_as_are_compared(
    strata, data
):
    compared = sorted(data.draw(st.sets(st.sampled_from(sorted(strata)), min_size=1)))
    weights = weights_of(strata, compared)
    assert sum(weights.values()) == pytest.approx(len(compared))
    sizes = sizes_of(strata, compared)
    whole = sum(size.documents for size in sizes.values() if size.compared)
    for stratum, size in sizes.items():
        its = [weights[each] for each in compared if strata[each] == stratum]
        assert sum(its) == pytest.approx(
            size.documents / whole * len(compared) if size.compared else 0
        )
        assert len(set(its)) <= 1


@given(STRATA)
def test_where_all_is_compared_everything_weighs_1_exactly(strata):
    assert set(weights_of(strata, [*strata]).values()) == {1.0}


def test_in_proportion_everything_weighs_1_exactly():
    strata = {n: (int(n < 30),) for n in range(100)}
    compared = [*range(3), *range(90, 97)]
    assert set(weights_of(strata, compared).values()) == {1.0}


def test_what_is_in_no_stratum_weighs_1():
    assert weights_of({}, ["a"]) == {"a": 1.0}
    assert weights_of({"a": (0,), "b": (0,), "c": (1,)}, ["a", "c", "z"])["z"] == 1.0


def test_agreement_of_a_sample_that_was_drawn_twice_is_that_of_all_documents():
    """A tenth at random, then more by grade, then once more after some first grades changed: the
    mean of 300 such campaigns of ten topics.
    """
    rng = np.random.default_rng(7)
    found: dict[str, list[list[float]]] = {"weighted": [], "not": [], "all": []}
    for campaign in range(300):
        rows, weights, everything = [], [], []
        for topic in range(10):
            its, strata, judged = drawn_twice(rng, seed=1000 * campaign + topic)
            weighing = weights_of(strata, judged)
            rows += [its[docno] for docno in judged]
            weights += [weighing[docno] for docno in judged]
            everything += its.values()
        for name, of, weighed in (
            ("weighted", rows, weights), ("not", rows, ()), ("all", everything, ()),
        ):  # fmt: skip
            ratings = Ratings.of(of, range(3), weights=weighed)
            found[name].append(
                [figure(ratings, key, "relevance").value for key in ("cohen", "raw")]
            )
    off = {
        name: np.mean(np.array(found[name]) - np.array(found["all"]), axis=0)
        for name in ("weighted", "not")
    }
    assert (abs(off["weighted"]) < 0.005).all(), off
    assert (abs(off["not"]) > 0.01).all(), off


def drawn_twice(rng: np.random.Generator, seed: int):
    """Return a topic: both grades of each document, its stratum, and which are judged twice."""
    relevance = rng.normal(-1.2, 1, 200)
    cuts = [0.0, 1.0]
    first = np.searchsorted(cuts, relevance + rng.normal(0, 0.4, 200))
    second = np.searchsorted(cuts, relevance + rng.normal(0, 0.4, 200))
    names = [f"d{n:03}" for n in range(200)]
    judged = set(rng.choice(names, 20, replace=False).tolist())
    then = dict(zip(names, first.tolist(), strict=True))
    for docnos in draw_by_grade(
        15, then, [each for each in names if each not in judged], seed
    ).values():
        judged |= set(docnos)
    changed = rng.random(200) < 0.05
    first = np.where(changed, np.clip(first + 1, 0, 2), first)
    now = dict(zip(names, first.tolist(), strict=True))
    left = [each for each in names if each not in judged]
    for docnos in draw_by_grade(10, now, left, seed + 1).values():
        judged |= set(docnos)
    rows = {name: [int(a), int(b)] for name, a, b in zip(names, first, second, strict=True)}
    strata = {name: (then[name], now[name]) for name in names}
    assert Counter(strata.values()).total() == 200
    return rows, strata, sorted(judged)
