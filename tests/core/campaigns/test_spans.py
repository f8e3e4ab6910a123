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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,2,3", "1 2 3"),
        (", ,", ""),
        ("1 - 3", "1 2 3"),
        ("1- 2,3", "1 2 3"),
        ("2\N{EM DASH} 3", "2 3"),
        ("2 \N{MINUS SIGN}3", "2 3"),
        ("1 -2", "1 -2"),
        ("1,a,b,2 a,b", "1 a,b 2"),
        ("a,b,3-3,", "a,b 3"),
        ("x, 3", "x, 3"),
        ("ALL", "1 2 3 -2 a,b x,"),
        ("3 all", "3 1 2 -2 a,b x,"),
    ],
)
def test_commas_blanks_in_spans_and_all_are_read(text, expected):
    assert read_numbers(text, ["1", "2", "3", "-2", "a,b", "x,"]) == expected.split()


def test_many_commas_take_no_longer_than_blanks():
    known = [f"{n},{n}" for n in range(5_000)]
    assert read_numbers(",".join(known), known) == known
    with pytest.raises(ValueError, match="There is no topic 5001"):
        read_numbers("," * 100_000 + "5001", known)


@pytest.mark.parametrize("text", ["7", "4-9", "a-b", "3-1", "-", "1-2-3"])
def test_what_names_no_topic_is_refused(text):
    with pytest.raises(ValueError, match=f"There is no topic {text}"):
        read_numbers(f"1 {text}", ["1", "2", "3"])


def test_many_spans_go_through_the_topics_no_more_often_than_one():
    class Topics(list[str]):
        n_looks = 0

        def __iter__(self):
            self.n_looks += 1
            return super().__iter__()

    few, many = (Topics(map(str, range(100))) for _ in range(2))
    assert read_numbers("1-9", few) == read_numbers("1-9 " * 100, many)
    assert few.n_looks == many.n_looks


def test_topics_keep_the_order_in_which_they_are_named_first():
    assert read_numbers("3 2-4 1 1-5", ["1", "2", "3", "4", "5"]) == ["3", "2", "4", "1", "5"]
