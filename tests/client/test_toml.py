"""What is written as TOML is read back as it was."""

import tomllib

from hypothesis import example, given
from hypothesis import strategies as st

from cleverdon.client import toml

NAMES = st.text('ab-_ ."é', min_size=1, max_size=4)
TEXTS = st.text(st.sampled_from("a\"\\\\\n\r\t\x00\x7f\x1b\u2028é '"), max_size=12)
PLAIN = TEXTS | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False)
VALUES = st.recursive(
    PLAIN | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(TEXTS)
@example('\n"""\n')
@example('a\n"""')
@example('a\n\\"')
def test_a_text_is_read_back(text):
    assert tomllib.loads(toml.text({"a": text})) == {"a": text}


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_a_table_is_read_back(table):
    assert tomllib.loads(toml.text(table)) == table


def test_nothing_is_left_out_but_none():
    assert tomllib.loads(toml.text({"a": None, "b": {"c": None}, "d": [{"e": None}]})) == {
        "b": {},
        "d": [{}],
    }
