"""Pairs looked up."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from measures.inputs.lookup import PairIndex
from trec.arrays import offsets_of

# Few topics and hashes, so that slots and whole keys coincide.
PAIRS = st.tuples(st.integers(0, 3), st.sampled_from([0, 1, 2, 2**31, 2**32 - 1]))


def columns(pairs):
    topics = np.array([topic for topic, _ in pairs], dtype=np.int64)
    return topics, np.array([hash_ for _, hash_ in pairs], dtype=np.uint32)


def index_of(pairs, n_topics=4):
    """Index pairs in the order of their topics."""
    topics, hashes = columns(pairs)
    return PairIndex.of(offsets_of(np.bincount(topics, minlength=n_topics)), hashes)


@given(st.lists(PAIRS, max_size=60), st.lists(PAIRS, max_size=60))
def test_every_entry_of_the_same_topic_and_hash_is_found(entries, lines):
    entries.sort(key=lambda pair: pair[0])
    found, rows = index_of(entries).look_up(*columns(lines))
    expected = {
        (entry, row)
        for row, line in enumerate(lines)
        for entry, pair in enumerate(entries)
        if pair == line
    }
    assert set(zip(found.tolist(), rows.tolist(), strict=True)) == expected
    assert len(found) == len(expected)
    assert (np.diff(rows) >= 0).all()


def test_a_topic_that_is_not_there_finds_nothing():
    index = index_of([(0, 1), (1, 1)])
    entries, _ = index.look_up(np.array([-1, 2]), np.array([1, 1], dtype=np.uint32))
    assert not len(entries)
