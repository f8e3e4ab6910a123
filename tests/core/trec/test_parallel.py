"""Work divided by topics, and among threads."""

import threading

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.trec import parallel
from cleverdon.trec.parallel import at_once, spans

SIZES = st.lists(st.integers(1, 9), max_size=12)


@given(SIZES, st.integers(1, 10))
def test_spans_are_of_whole_topics_and_leave_nothing_out(sizes, n_lines):
    offsets = np.cumsum([0, *sizes])
    found = spans(offsets, n_lines)
    topics = [topic for first, last in found for topic in range(first, last)]
    assert topics == list(range(len(sizes)))
    for first, last in found:
        # The last topic may go over the edge: a topic is never divided.
        assert offsets[last - 1] - offsets[first] < n_lines


def test_few_items_stay_in_this_thread_and_many_keep_their_order(monkeypatch):
    monkeypatch.setattr(parallel, "N_THREADS", 2)
    here = threading.get_ident()
    assert set(at_once(lambda _: threading.get_ident(), range(3))) == {here}
    found = list(at_once(lambda n: (n, threading.get_ident()), range(100)))
    assert [number for number, _ in found] == list(range(100))
    assert here not in {thread for _, thread in found}
