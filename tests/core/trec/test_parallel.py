"""Work a stretch of topics at a time."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trec import parallel as stretches
from trec.parallel import at_once, of_whole_topics, topic_starts

SIZES = st.lists(st.integers(1, 9), max_size=12)


@given(SIZES, st.integers(1, 10))
def test_stretches_are_of_whole_topics_and_leave_nothing_out(sizes, n_lines):
    offsets = np.cumsum([0, *sizes])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "N_LINES", n_lines)
        found = stretches.stretches(offsets)
    assert [topic for first, last in found for topic in range(first, last)] == list(
        range(len(sizes))
    )
    for first, last in found:
        # The last topic may go over the edge: a topic is never divided.
        assert offsets[last - 1] - offsets[first] < n_lines


@given(st.lists(st.integers(0, 3)))
def test_topics_that_are_not_together_cannot_be_divided(topics):
    numbers = np.array(topics, dtype=np.int64)
    starts = topic_starts(numbers).tolist()
    assert starts == [
        i for i, topic in enumerate(topics) if i == 0 or topics[i - 1] != topic
    ]
    together = len({topics[i] for i in starts}) == len(starts)
    found = of_whole_topics(numbers)
    assert (found is not None) == together
    if found is not None:
        assert [line for span in found for line in range(span.start, span.stop)] == (
            list(range(len(topics)))
        )


def test_few_items_stay_in_this_thread_and_many_keep_their_order(monkeypatch):
    monkeypatch.setattr(stretches, "N_THREADS", 2)
    here = threading.get_ident()
    assert set(at_once(lambda _: threading.get_ident(), range(3))) == {here}
    found = list(at_once(lambda n: (n, threading.get_ident()), range(100)))
    assert [number for number, _ in found] == list(range(100))
    assert here not in {thread for _, thread in found}
