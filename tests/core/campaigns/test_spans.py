"""Topics as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.core.spans import read_numbers, spans

numbers = st.lists(st.integers(0, 60).map(str) | st.sampled_from(["b7", "007"]), unique=True)


@given(numbers)
def test_what_was_written_is_read(some):
    assert sorted(read_numbers(spans(some), some)) == sorted(some)


@given(numbers, numbers)
def test_a_span_has_only_topics_that_there_are(some, others):
    known = [*dict.fromkeys([*some, *others])]
    assert set(read_numbers(spans(some), known)) >= set(some)


def test_a_topic_with_a_hyphen_is_no_span():
    assert read_numbers("1-3", ["1", "2", "3", "1-3"]) == ["1-3"]


@pytest.mark.parametrize("text", ["7", "4-9", "a-b", "3-1", "-", "1-2-3"])
def test_what_names_no_topic_is_refused(text):
    with pytest.raises(ValueError, match=f"There is no topic {text}"):
        read_numbers(f"1 {text}", ["1", "2", "3"])
