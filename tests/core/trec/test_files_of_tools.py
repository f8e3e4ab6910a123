"""Files as other tools and tracks write them: each is read as said, or called by its name.

They are in `tests/vectors/files_of_tools`, a line each, with what comes of it.
"""

import gzip
import io
import json
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from cleverdon.trec.documents import DocumentRecord, read_documents
from cleverdon.trec.field_names import MOST_UNREAD, OF_TOPICS, Unread
from cleverdon.trec.qrels import STRICT, read_qrels
from cleverdon.trec.recognize import first_line_in_doubt, format_of, looks_like, not_qrels
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.read import first_tag
from cleverdon.trec.streams import FormatError, opened
from cleverdon.trec.topics import TopicRecord, read_topics

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "files_of_tools"


def cases(kind: str) -> list[Any]:
    # Not splitlines: some texts hold other ends of lines.
    lines = (VECTORS / f"{kind}.jsonl").read_text(encoding="utf-8").split("\n")
    stored = [json.loads(line) for line in lines if line]
    return [
        pytest.param(case, id=case.get("what", case.get("sentence", ""))[:60]) for case in stored
    ]


@pytest.mark.parametrize("case", cases("documents"))
def test_documents_are_read(case):
    noted, content = Unread(), case["file"].encode()
    for stream in (io.BytesIO(content), opened(io.BytesIO(gzip.compress(content)))):
        found = list(read_documents(stream, unread=noted))
        assert found == [DocumentRecord(*record) for record in case["records"]]
    assert noted.names == case["unread"]


@pytest.mark.parametrize("case", cases("topics"))
def test_topics_are_read(case):
    noted = Unread()
    found = read_topics(io.BytesIO(case["file"].encode()), noted)
    assert found == [TopicRecord(*record) for record in case["records"]]
    assert noted.names == case["unread"]


@pytest.mark.parametrize("case", cases("qrels"))
def test_qrels_are_read(case):
    content = case["file"].encode()
    assert read_qrels(io.BytesIO(content), layout=STRICT).by_topic() == case["grades"]


@pytest.mark.parametrize("case", cases("runs"))
def test_runs_are_read(case):
    content = case["file"].encode()
    tag, ranking = first_tag(io.BytesIO(content)), case["ranking"]
    checked = check_run(io.BytesIO(content), tag=tag, topics=[*ranking])
    assert (tag, checked.report.errors) == (case["tag"], [])
    docnos = [docno for each in ranking.values() for docno in each]
    assert [docno.decode() for docno in checked.run.docnos.tolist()] == docnos


def read_run(stream: BinaryIO) -> None:
    """Take the tag, then check the run, as an upload does."""
    tag = first_tag(stream)
    stream.seek(0)
    for fault in check_run(stream, tag=tag, topics=["0001"]).report.errors:
        raise FormatError(None, fault.message)


def read_or_guess(stream: BinaryIO) -> None:
    """Read qrels, or say what else they are, as an import does."""
    try:
        read_qrels(stream, layout=STRICT)
    except FormatError as error:
        guess = not_qrels(stream.getvalue().decode())
        raise FormatError(error.line, f"{error.message} {guess}") from error


READERS = {
    "topics": read_topics,
    "documents": lambda stream: list(read_documents(stream)),
    "a run": read_run,
    "qrels": read_or_guess,
}


def refusal(kind: str, content: bytes) -> str:
    with pytest.raises(FormatError) as caught:
        READERS[kind](io.BytesIO(content))
    return str(caught.value)


@pytest.mark.parametrize("case", cases("refused"))
def test_what_cannot_be_read_is_called_by_its_name(case):
    content = case["file"].encode() if "file" in case else bytes.fromhex(case["hex"])
    said = refusal(case["kind"], content)
    assert case["sentence"] in said
    assert len(said) < 300


def test_an_object_or_a_row_that_is_too_long_is_refused_before_it_ends(monkeypatch):
    monkeypatch.setattr("cleverdon.trec.json_lines.MAX_BYTES", 1000)
    monkeypatch.setattr("cleverdon.trec.columns.MAX_BYTES", 1000)
    for start, unit in ((b"[\n", b'{"a":\n"x",\n"b":'), (b'id,text\n1,"', b"x\n")):
        stream = io.BytesIO(start + unit * 2000)
        with pytest.raises(FormatError, match="is longer than 1,000 bytes"):
            list(read_documents(stream))
        assert stream.tell() < 1200


def test_only_the_first_names_that_are_not_read_are_kept():
    noted = Unread()
    record = {"id": "1", "text": "x", **{f"n{n}" * 99: "y" for n in range(99)}}
    list(read_documents(io.BytesIO(json.dumps(record).encode()), unread=noted))
    assert len(noted.names) == MOST_UNREAD
    assert noted.are_more
    assert max(map(len, noted.names)) == 60


@pytest.mark.parametrize(
    ("beginning", "doubt"),
    [
        ("ident\tphrase\n1\ta\n2\tb\n", "The first line (ident, phrase) is read as a record, but"),
        ("all\tevery bridge\n", ""),
        ("a,b\nc,d\ne,f\n", "Every line has as many commas, as in CSV without a header"),
        ("IPCC_report,_1992\nd2\nd3\n", ""),
        ('{"id": "a"}\n{"id": "b"}\n{"id": "c"}\n', ""),
        ("id,title,text\nd1,Tolls,rise\nd2,Ferries,sink\n", ""),
        ("docid\tpassage\n1\ta\n2\tb\n", ""),
    ],
)
def test_a_first_line_in_doubt_is_pointed_at(beginning, doubt):
    assert first_line_in_doubt(beginning).startswith(doubt)
    assert bool(first_line_in_doubt(beginning)) == bool(doubt)


def test_a_header_of_topics_is_not_in_doubt():
    for beginning in ("query-id\tquery\n1\ttolls\n2\tferries\n", "qid,query\n1,a\n2,b\n"):
        assert first_line_in_doubt(beginning, OF_TOPICS) == ""


@pytest.mark.parametrize(
    ("beginning", "what", "name"),
    [
        ("query-id\tcorpus-id\tscore\n1\td\t1\n", "qrels", "tab-separated values"),
        ("topic iter docno rel\n1 0 d1 1\n", "qrels", "tab-separated values"),
        ('[{"docno": "1"}]', "documents", "a JSON array"),
        ("<queries><query><qid>1</qid>", "topics", "XML"),
        ('{"text": "<top> and <topic>", "id": 1}', "", "JSON Lines"),
        ("docno,text\nd1,x\n", "documents", "CSV"),
    ],
)
def test_a_file_is_told_by_its_beginning(beginning, what, name):
    assert (looks_like(beginning), format_of(beginning)) == (what, name)
