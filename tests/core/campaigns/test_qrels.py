from io import BytesIO

import pytest
from hypothesis import given

from campaigns.core.formats import FormatError
from campaigns.core.qrels import read_qrels, write_qrels
from tests import strategies


@given(strategies.qrels(lowest=-2))
def test_what_is_written_is_read(qrels):
    rows = [(t, d, grade) for t, grades in qrels.items() for d, grade in grades.items()]
    lines = list(write_qrels(rows))
    assert read_qrels(BytesIO(b"".join(lines))) == qrels
    assert lines == sorted(lines, key=lambda line: line.split()[0::2])


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1 0 d1 1\n1 0 d1 0\n", 2, "Document d1 is judged twice for topic 1."),
        ("1 0 d1\n", 1, "It has 3 columns; qrels have four: topic, 0, docno, grade."),
        ("1 0 d1 1.5\n", 1, "The grade '1.5' is not a whole number."),
        ("1 0 d1 x\n", 1, "The grade 'x' is not a whole number."),
        (b"1 0 d\xff 1\n", 1, "It is not UTF-8."),
    ],
)
def test_bad_qrels_are_refused_with_their_line(text, line, message):
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(FormatError) as caught:
        read_qrels(BytesIO(data))
    assert (caught.value.line, caught.value.message) == (line, message)
