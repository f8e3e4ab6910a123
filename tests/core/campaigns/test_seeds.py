"""The order served, and the sample judged twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pools.seeds import sample, seed_for, shuffled

DOCNOS = st.sets(st.text(min_size=1, max_size=6), max_size=40)
SEEDS = st.integers(0, 2**63 - 1)


@given(DOCNOS, SEEDS)
def test_every_document_is_served_once(docnos, seed):
    assert sorted(shuffled(docnos, seed)) == sorted(docnos)


@given(DOCNOS, SEEDS, st.randoms())
def test_the_order_depends_on_the_set_and_the_seed_only(docnos, seed, random):
    given_order = list(docnos)
    random.shuffle(given_order)
    assert shuffled(given_order, seed) == shuffled(sorted(docnos), seed)


def test_the_canonical_order_is_that_of_bytes():
    # Beyond the first 65,536 code points, UTF-16 would order otherwise.
    docnos = ["\U00010000", "\uffff", "a", "Z", "é"]
    assert sample(docnos, 1, 0) == sorted(docnos, key=str.encode)


def test_two_assessors_are_served_in_different_orders():
    docnos = [f"d{number}" for number in range(50)]
    ada, ben = (shuffled(docnos, seed_for(7, "1", name)) for name in ("ada", "ben"))
    assert ada != ben
    assert docnos not in (ada, ben)


def test_places_are_spread_evenly():
    firsts = [shuffled("abcd", seed)[0] for seed in range(4000)]
    assert all(900 < firsts.count(docno) < 1100 for docno in "abcd")


@given(SEEDS, st.text(), st.text())
def test_a_seed_fits_a_column_of_63_bits_and_is_the_same_each_time(seed, topic, assessor):
    assert 0 <= seed_for(seed, topic, assessor) < 2**63
    assert seed_for(seed, topic, assessor) == seed_for(seed, topic, assessor)


def test_seeds_of_different_parts_differ():
    parts = [(1, "1", "ada"), (2, "1", "ada"), (1, "2", "ada"), (1, "1", "ben")]
    parts += [(1, "1ada"), (1, "1", "ad", "a")]
    assert len({seed_for(*part) for part in parts}) == len(parts)


def test_a_derived_seed_is_what_it_was_when_orders_were_first_stored():
    assert seed_for(1, "301", "ada") == 6991321245142864582


@given(DOCNOS, st.floats(0, 1), st.floats(0, 1), SEEDS)
def test_a_larger_sample_contains_a_smaller_one(docnos, one, other, seed):
    small, large = sorted((one, other))
    assert set(sample(docnos, small, seed)) <= set(sample(docnos, large, seed)) <= docnos


@pytest.mark.parametrize(
    ("share", "n_documents", "n_drawn"),
    [
        *((0, 30, 0), (0.01, 5, 1), (0.07, 100, 7), (0.1, 31, 4), (0.25, 10, 3), (0.3, 10, 3)),
        *((1, 30, 30), (1, 0, 0)),
    ],
)
def test_a_share_is_rounded_up(share, n_documents, n_drawn):
    assert len(sample([f"d{number}" for number in range(n_documents)], share, 3)) == n_drawn


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_outside_0_to_1_is_refused(share):
    with pytest.raises(ValueError, match="from 0 to 1"):
        sample(["d1"], share, 0)
