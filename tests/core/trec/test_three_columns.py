"""Runs and qrels of three columns: what is written between them, and what is no such file."""

import io

import pytest

from cleverdon.trec.qrels import read_qrels
from cleverdon.trec.runs.read import read_run
from cleverdon.trec.streams import FormatError
from cleverdon.trec.three_columns import four_columns, is_qrels, is_run, six_columns

MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    "text",
    [
        b"1\td7\t1\n1\td2\t2\n2\td7\t1\n",
        MARK + b"qid\tpid\trank\n1\td7\t1\r\n\n1 d2 2\r\n2\td7\t1",
        b"2 d7 1\n1 d2 2\n1 d7 1\n",
    ],
)
def test_a_run_of_topic_docno_and_rank_is_ranked_by_rank(text):
    assert is_run(text)
    run = read_run(io.BytesIO(b"".join(six_columns(io.BytesIO(text), "bm25"))), with_ranks=True)
    assert (run.topics, run.tag) == (("1", "2"), "bm25")
    assert run.docnos.tolist() == [b"d7", b"d2", b"d7"]
    assert run.ranks.tolist() == [1, 2, 1]
    assert run.scores.tolist() == [-1, -2, -1]


@pytest.mark.parametrize(
    "text",
    [
        b"query-id\tcorpus-id\tscore\n1\td7\t2\n1\td2\t0\n",
        MARK + b"corpus_id,score,query_id\r\nd7,2,1\r\n\r\nd2,0,1",
        b'"qid";"docid";"relevance"\n"1";"d7";"2"\n"1";"d2";"0"\n',
        b"topic docno grade\n1 d7 2\n1 d2 0\n",
        b"topic id rel\n1 d7 2\n1 d2 0\n",
    ],
)
def test_qrels_under_a_header_of_three_columns_are_read(text):
    assert is_qrels(text)
    pairs = read_qrels(io.BytesIO(b"".join(four_columns(io.BytesIO(text)))))
    assert pairs.by_topic() == {"1": {"d2": 0, "d7": 2}}


@pytest.mark.parametrize(
    "text", [b"", b"\n", b"1 Q0 d7 1 2.5 x\n", b"1 d7 2.5\n", b"1 0 d7 1\n", b"qid pid rank\n"]
)
def test_other_files_are_no_runs_of_three_columns(text):
    assert not is_run(text)


@pytest.mark.parametrize(
    "text", [b"", b"1 d7 1\n", b"topic iter docno rel\n", b"qid pid rank\n", b"id id rel\n"]
)
def test_other_files_are_no_qrels_of_three_columns(text):
    assert not is_qrels(text)


@pytest.mark.parametrize(
    ("convert", "text", "sentence"),
    [
        (six_columns, b"1 d7 1\n1 d2\n", "Line 2: It has 2 columns, and not three."),
        (six_columns, b"1 d7 1\n1 d2 1.5\n", "Line 2: The rank '1.5' is not a whole number."),
        (six_columns, b"a b c\nx y z\n", "Line 2: The rank 'z' is not a whole number."),
        (four_columns, b"1 d7 1\n", "Line 1: Its first line does not name three columns"),
        (four_columns, b"qid,pid,rel\n1,d7\n", "Line 2: It has 2 columns, and not three."),
        (
            four_columns,
            b"qid pid rel\n1 d7 0.5\n",
            "Line 2: The grade '0.5' is not a whole number.",
        ),
    ],
)
def test_a_line_that_is_otherwise_is_named(convert, text, sentence):
    given = {"tag": "x"} if convert is six_columns else {}
    with pytest.raises(FormatError) as caught:
        list(convert(io.BytesIO(text), **given))
    assert str(caught.value).startswith(sentence)
