"""The order in which people expect topics."""

from hypothesis import given
from hypothesis import strategies as st

from cleverdon.trec.ordering import MAX_LENGTH, natural_key


@given(st.integers(0, 10**59), st.integers(0, 10**59))
def test_whole_numbers_are_ordered_by_their_value(one, other):
    assert (natural_key(str(one)) < natural_key(str(other))) == (one < other)


@given(st.integers(0, 10**9), st.integers(0, 20), st.sampled_from(["", "a-", "é"]))
def test_zeros_before_a_number_do_not_count(value, zeros, prefix):
    assert natural_key(f"{prefix}{'0' * zeros}{value}") == natural_key(f"{prefix}{value}")


def test_the_longest_key_can_be_stored():
    assert len(natural_key("1a" * 30)) <= MAX_LENGTH
    assert len(natural_key("9" * 60)) <= MAX_LENGTH
