"""Docnos by the million, against Python's bytes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.trec.docnos import Docnos, compact

NAMES = st.lists(
    st.binary(min_size=1, max_size=70).filter(lambda name: b"\n" not in name)
    | st.sampled_from(
        [b"a", b"ab", b"clueweb12-0001wb-02-03456", b"x" * 8, b"x" * 32, b"x" * 33, b"y" * 255]
    ),
    max_size=30,
)


@given(NAMES)
def test_what_is_taken_in_comes_out(names):
    docnos = Docnos.of(names)
    assert docnos.tolist() == names
    assert [docnos[i] for i in range(len(docnos))] == names
    assert docnos.lengths.tolist() == [len(name) for name in names]


@given(NAMES, st.data())
def test_some_may_be_taken_and_made_compact(names, data):
    docnos = Docnos.of(names)
    places = data.draw(st.lists(st.integers(0, len(names) - 1)) if names else st.just([]))
    some = docnos.take(np.array(places, dtype=np.int64))
    assert compact(some).tolist() == some.tolist() == [names[i] for i in places]
    assert compact(some).content.tobytes().rstrip(b"\0").count(b"\n") == len(places)


@given(st.lists(NAMES, max_size=4))
def test_several_are_joined_in_order(parts):
    whole = Docnos.joined([Docnos.of(names) for names in parts])
    assert whole.tolist() == [name for names in parts for name in names]
    assert whole.hashes.tolist() == Docnos.of(whole.tolist()).hashes.tolist()


@given(NAMES, NAMES)
def test_a_code_does_not_depend_on_the_company(names, others):
    hashes = Docnos.of(names).hashes
    assert Docnos.of([*others, *names]).hashes[len(others) :].tolist() == hashes.tolist()
    assert [Docnos.of([name]).hashes.item() for name in names] == hashes.tolist()


def test_codes_of_many_docnos_seldom_coincide():
    """Of 200,000 docnos some five pairs are expected to share one of 2**32 hashes."""
    names = [
        f"clueweb12-{i // 1000:04}wb-{i % 97:02}-{i % 1000:05}".encode() for i in range(100_000)
    ]
    names += [str(i).encode() for i in range(100_000)]
    assert len(np.unique(Docnos.of(names).hashes)) > len(names) - 40


@given(NAMES)
def test_a_row_that_differs_from_the_one_before_begins_a_span(names):
    before = [None, *names]
    expected = [row for row, name in enumerate(names) if row == 0 or name != before[row]]
    assert Docnos.of(names).firsts().tolist() == expected
