"""Samples judged twice: how many documents, which ones, and as many of each first grade."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from assess.core.sampling import Sample, draw_by_grade
from cleverdon.pools.seeds import sample

GRADES = st.dictionaries(st.text("abcdef", min_size=1), st.integers(0, 3), max_size=60)
SEEDS = st.integers(0, 2**63 - 1)


@given(GRADES, st.integers(1, 80), SEEDS, st.data())
def test_each_grade_comes_to_as_many_as_the_others_or_to_all_it_has(grades, n, seed, data):
    before = data.draw(st.sets(st.sampled_from(sorted(grades)))) if grades else set()
    undrawn = sorted(set(grades) - before)
    found = draw_by_grade(n, grades, undrawn, seed)
    drawn = [docno for docnos in found.values() for docno in docnos]
    assert len(drawn) == len(set(drawn)) == min(n, len(undrawn))
    assert set(drawn) <= set(undrawn)
    assert all(grades[docno] == grade for grade, docnos in found.items() for docno in docnos)
    had = Counter(grades[docno] for docno in (*before, *drawn))
    left = Counter(grades[docno] for docno in set(undrawn) - set(drawn))
    for grade in left:  # one that could have got more is behind no other that did get some
        assert all(had[grade] >= had[other] - 1 for other, its in found.items() if its)


@given(GRADES, st.integers(1, 80), SEEDS, st.randoms())
def test_what_is_drawn_follows_from_the_seed_and_not_from_any_order(grades, n, seed, random):
    rows = list(grades.items())
    random.shuffle(rows)
    shuffled = dict(rows)
    assert draw_by_grade(n, grades, sorted(grades), seed) == draw_by_grade(
        n, shuffled, list(shuffled), seed
    )
    for asked in (Sample(0.3), Sample(n=n), Sample(n=n, by_grade=True), Sample(0.3, by_grade=True)):
        drawn = asked.of(grades, grades, seed)
        assert drawn == asked.of(list(shuffled), shuffled, seed)
        assert len(drawn) == asked.size(len(grades))


def test_what_cannot_be_even_goes_to_higher_grades():
    grades = {f"{grade}-{n}": grade for grade in (0, 1, 2) for n in range(9)}
    sizes = {grade: len(its) for grade, its in draw_by_grade(11, grades, [*grades], 1).items()}
    assert sizes == {0: 3, 1: 4, 2: 4}


@given(st.sets(st.text("abc", min_size=1), max_size=40), st.floats(0, 1), SEEDS)
def test_a_share_is_drawn_as_it_always_was(docnos, share, seed):
    assert Sample(share).of(docnos, {}, seed) == sample(docnos, share, seed)


@given(st.sets(st.text("abc", min_size=1), max_size=40), st.integers(1, 9), SEEDS)
def test_a_larger_number_contains_a_smaller_one(docnos, n, seed):
    assert set(Sample(n=n).of(docnos, {}, seed)) <= set(Sample(n=n + 1).of(docnos, {}, seed))


def test_a_sample_of_nothing_is_none():
    assert not any([Sample(), Sample(by_grade=True)])
    assert all([Sample(0.1), Sample(n=1)])
