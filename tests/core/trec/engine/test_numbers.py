"""Numbers out of text, against Python's own reading of each."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cleverdon.trec import engine
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.engine import compiled, plain
from cleverdon.trec.engine.build import compilers

READERS = {"plain": plain, "compiled": compiled}


@pytest.fixture(autouse=True, params=READERS, scope="module")
def _reader(request):
    if request.param == "compiled" and compiled.LIBRARY is None:
        assert not list(compilers()), "There is a compiler, and lines.c was not compiled."
        pytest.skip("there is no compiler")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "reader", READERS[request.param])
        yield


NUMBERS = """1e-3 +1.5 .5 5. -0.0 -0 1e300 00012.50 . - -. 1..2 1_0 nan inf -inf abc 0x1 0x1p3 ²
1e999 --1 1-2 : / 9007199254740993 0.000000000000000000001 -.5e3 1.2345678.9 12345678.1234567.
1,5 1.5f 4.9e-324 2.2250738585072011e-308 0.1000000000000000055511151231257827
\N{ARABIC-INDIC DIGIT ONE}"""
LONG = ("0" * 50 + "1.5", "9" * 19, "9" * 20, "1" * 24, "1" * 25, "1" + "0" * 400)
ODD = (*NUMBERS.split(), *LONG)
WRITTEN = (
    st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.builds("{:.{}f}".format, st.floats(-1e9, 1e9), st.integers(0, 20))
    | st.integers(-(10**21), 10**21).map(str)
    | st.sampled_from(ODD)
    | st.text("0123456789.-+e_", min_size=1, max_size=26)
)


def column(words: list[str]) -> Docnos:
    """Fields of a text, one a line."""
    fields = [word.encode() for word in words]
    lengths = np.array([len(field) for field in fields], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1
    text = b"\n".join([*fields, b""])
    return Docnos(np.frombuffer(text, np.uint8), ends - lengths, ends)


def by_python(word: str) -> float | None:
    if "_" in word or not word.isascii():
        return None
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def assert_read_as_by_python(words: list[str]) -> None:
    values, readable = engine.reader.scores(column(words))
    expected = [by_python(word) for word in words]
    assert readable.tolist() == [value is not None for value in expected]
    for found, value in zip(values.tolist(), expected, strict=True):
        if value is not None:
            assert (found, math.copysign(1, found)) == (value, math.copysign(1, value))


@example([])
@example(list(ODD))
@given(st.lists(WRITTEN, max_size=60))
def test_a_score_is_the_double_python_reads(words):
    assert_read_as_by_python(words)


@given(
    st.integers(0, 10).flatmap(
        lambda n_decimals: st.lists(
            st.floats(-1e10, 1e10).map(f"{{:.{n_decimals}f}}".format), min_size=1
        )
    ),
    st.none() | st.tuples(st.integers(0, 99), WRITTEN),
)
def test_numbers_of_as_many_decimals_each_and_an_odd_one_among_them(words, odd):
    if odd:
        words = [*words[: odd[0]], odd[1], *words[odd[0] :]]
    assert_read_as_by_python(words)


@given(st.lists(st.sampled_from("0123456789:/+-x\xa0"), min_size=1))
def test_numbers_of_one_character(words):
    values, readable = engine.reader.whole(column(words), 10)
    expected = [int(word) if word.isdecimal() else None for word in words]
    assert readable.tolist() == [value is not None for value in expected]
    assert values[readable].tolist() == [v for v in expected if v is not None]


def test_numbers_between_two_doubles_are_read_right():
    """Of 16 to 19 digits, and up to 27 after the point, where 64 bits are not enough to tell."""
    generator = np.random.default_rng(1)
    words = [f"{value:.17f}" for value in generator.random(20_000)]
    words += [repr(float(value) * 10.0**-n) for n in range(12) for value in generator.random(2_000)]
    words += [f"{value * 10.0**-n:.27f}" for n in range(12) for value in generator.random(500)]
    words += [str(2**53 + n) for n in range(1000)] + [
        f"0.{n}5" for n in range(10**15, 10**15 + 1000)
    ]
    values, readable = engine.reader.scores(column(words))
    assert readable.all()
    assert values.tolist() == [float(word) for word in words]


@example(["1", "-7", "+3", "1.0", "9" * 18, "9" * 19, "0" * 30, "x", "1_0", "-"])
@given(st.lists(WRITTEN, min_size=1, max_size=60))
def test_a_whole_number_is_the_one_python_reads(words):
    values, readable = engine.reader.whole(column(words), 10**18)
    for word, found, is_one in zip(words, values.tolist(), readable.tolist(), strict=True):
        try:
            expected = int(word) if "_" not in word and word.isascii() else None
        except ValueError:
            expected = None
        if expected is not None and abs(expected) >= 10**18:
            expected = None
        assert (found if is_one else None) == expected
