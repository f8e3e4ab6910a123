"""Qrels in four columns: written and read again, and faults with their lines."""

import io

import pytest
import pytrec_eval
from hypothesis import given

from campaigns.core.formats import FormatError
from campaigns.core.qrels import read_qrels, write_qrels
from tests.strategies import qrels


def rows(judged):
    return [(t, d, g) for t, grades in judged.items() for d, g in grades.items()]


def read(content: bytes):
    return read_qrels(io.BytesIO(content))


@given(qrels(lowest=-2))
def test_reading_gives_back_what_was_written(judged):
    assert read(b"".join(write_qrels(rows(judged)))) == judged


@given(qrels(lowest=-2))
def test_a_peer_reads_the_same(judged):
    lines = b"".join(write_qrels(rows(judged))).decode().splitlines()
    assert pytrec_eval.parse_qrel(lines) == judged


@given(qrels())
def test_lines_are_in_order_of_topic_and_docno_as_bytes(judged):
    written = [line.split() for line in write_qrels(rows(judged))]
    assert written == sorted(written, key=lambda fields: (fields[0], fields[2]))


def test_a_line_has_the_form_of_trec():
    assert list(write_qrels([("301", "é", 2)])) == ["301 0 é 2\n".encode()]


def test_tabs_and_windows_line_ends_are_accepted():
    assert read(b"1\t0\td1\t2\r\n1 0 d2 -1") == {"1": {"d1": 2, "d2": -1}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"1 0 d1", "It has 3 columns; qrels have four"),
        (b"", "It has 0 columns"),
        (b"1 0 d1 1 x", "It has 5 columns"),
        (b"1 0 d2 1.5", "The grade '1.5' is not a whole number"),
        (b"1 0 d2 --1", "The grade '--1' is not a whole number"),
        (b"1 0 d2 1_0", "The grade '1_0' is not a whole number"),
        ("1 0 d2 ²".encode(), "The grade '²' is not a whole number"),
        (b"1 0 d2 " + b"9" * 5000, "is not a whole number"),
        (b"1 0 d1 1", "Document d1 is judged twice for topic 1"),
        (b"1 0 d\xff 1", "It is not UTF-8"),
    ],
)
def test_a_faulty_line_is_named(line, message):
    with pytest.raises(FormatError, match=f"^Line 2: {message}|^Line 2: .*{message}"):
        read(b"1 0 d1 0\n" + line + b"\n")
