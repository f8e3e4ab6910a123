"""Qrels in four columns: written and read again, and faults with their lines."""

import io
import re

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.trec.qrels import GROUPED, STRICT, TREC, JudgedPairs, read_qrels, write_qrels
from cleverdon.trec.streams import FormatError
from tests.strategies import qrels


def rows(judged):
    return [(t, d, g) for t, grades in judged.items() for d, g in grades.items()]


def read(content: bytes):
    return read_qrels(io.BytesIO(content))


@given(qrels(lowest=-2))
def test_reading_gives_back_what_was_written(judged):
    assert read(b"".join(write_qrels(rows(judged)))).by_topic() == judged


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
    assert read(b"1\t0\td1\t2\r\n1 0 d2 -1").by_topic() == {"1": {"d1": 2, "d2": -1}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"1 0 d1", "It has 3 columns; qrels have four"),
        (b"", "It has 0 columns"),
        (b"1 0 d1 1 x", "It has 5 columns"),
        (b"1 0 d2 1.5", "The grade '1.5' is not a whole number"),
        (b"1 0 d2 " + b"9" * 5000, "is too large: at most 999,999,999"),
        (b"1 0 d1 1", "Document d1 is judged twice for topic 1"),
        (b"1 0 d\x00 1", "It holds a NUL byte"),
    ],
)
def test_a_faulty_line_is_named(line, message):
    with pytest.raises(FormatError, match=f"^Line 2: {message}|^Line 2: .*{message}"):
        read(b"1 0 d1 0\n" + line + b"\n")


@given(qrels(lowest=-2), st.randoms(), st.sampled_from([9, 40, 1 << 20]))
def test_the_order_and_the_layout_of_lines_change_nothing(judged, random, block):
    lines = b"".join(write_qrels(rows(judged))).splitlines()
    random.shuffle(lines)
    texts = [b"\n".join(lines), b"\r\n".join(lines), b"\n".join(lines).replace(b" ", b" \t ")]
    expected = JudgedPairs.from_rows(rows(judged))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cleverdon.trec.text.BLOCK", block)
        for text in texts:
            found = read(text)
            assert found.topics == expected.topics
            assert found.docnos.tolist() == expected.docnos.tolist()
            assert np.array_equal(found.offsets, expected.offsets)
            assert np.array_equal(found.grades, expected.grades)


def test_a_document_judged_twice_names_both_lines():
    with pytest.raises(FormatError, match=r"^Line 4: Document d1 .*; it was on line 2\.$"):
        read(b"2 0 d1 0\n1 0 d1 0\n1 0 d2 0\n1 0 d1 0\n")


def test_with_groups_a_pair_may_come_once_for_each():
    pairs = read_qrels(io.BytesIO(b"1 b d2 1\n1 b d1 1\n1 a d1 0\n"), layout=GROUPED)
    assert pairs.docnos.tolist() == [b"d1", b"d1", b"d2"]
    assert pairs.labels.tolist() == [b"b", b"a", b"b"]
    assert pairs.grades.tolist() == [1, 0, 1]
    with pytest.raises(FormatError, match="Line 2: Document d1 is judged twice"):
        read_qrels(io.BytesIO(b"1 b d1 1\n1 b d1 1\n"), layout=GROUPED)


def test_ids_may_be_any_bytes():
    found = read(b"t\xff 0 d\xfe 1\n")
    assert found.docnos.tolist() == [b"d\xfe"]
    assert found.topics == ("t\udcff",)


@pytest.mark.parametrize(
    ("docno", "sentence"),
    [
        (b"d\xff", "Line 2: It is not UTF-8: byte 6 of the line cannot be read."),
        (b"d" * 256, "is 256 bytes long; 255 are allowed."),
        ("é".encode() * 128, "is 256 bytes long; 255 are allowed."),
    ],
)
def test_what_a_campaign_cannot_hold_is_refused_where_it_is_strict(docno, sentence):
    content = b"1 0 d1 1\n1 0 " + docno + b" 1\n"
    with pytest.raises(FormatError, match=re.escape(sentence)) as fault:
        read_qrels(io.BytesIO(content), layout=STRICT)
    assert fault.value.line == 2
    assert len(read_qrels(io.BytesIO(content)).grades) == 2, "trec_eval takes any bytes"


@pytest.mark.parametrize("layout", [TREC, STRICT, GROUPED])
def test_no_layout_takes_control_characters(layout):
    """What one door lets in, another would refuse to read."""
    with pytest.raises(FormatError, match="Line 2: It holds control characters"):
        read_qrels(io.BytesIO(b"1 0 d1 1\n1 0 d\x01 1\n"), layout=layout)


def test_the_longest_docno_is_not_too_long():
    content = b"1 0 " + b"d" * 255 + b" 1\n"
    assert read_qrels(io.BytesIO(content), layout=STRICT).docnos.lengths.max() == 255
