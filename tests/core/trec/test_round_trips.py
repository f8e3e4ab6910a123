"""What pandas, ir_datasets and our own exports write is read back equal."""

import io
import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assess.core.known_grades import KnownLine, read_known
from cleverdon.trec.documents import DocumentRecord, read_documents
from cleverdon.trec.qrels import STRICT, read_qrels, write_qrels
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.read import first_tag
from cleverdon.trec.three_columns import four_columns, is_qrels, is_run, six_columns
from cleverdon.trec.topics import HIDDEN, TopicRecord, read_topics
from collection.models.texts import Topic
from collection.web.topics import TOPIC_FORMATS

# What pandas writes for a missing text is that of an empty one, and what it writes for a lone
# surrogate is no UTF-8.
LETTERS = st.characters(exclude_categories=["Cs", "Cc"])
LINES = st.text(st.one_of(LETTERS, st.sampled_from('\n\t,;"<>&[]{}')), max_size=30)
WORDS = st.lists(st.text(st.one_of(LETTERS, st.sampled_from(',;"')), min_size=1), min_size=1).map(
    " ".join
)
NUMBERS = st.from_regex(r"[0-9A-Za-z._:/%,-]{0,8}[0-9]", fullmatch=True)
DOCUMENTS = st.tuples(NUMBERS, WORDS, LINES).map(lambda texts: DocumentRecord(*texts))
TOPICS = st.tuples(NUMBERS, WORDS, LINES, LINES).map(lambda texts: TopicRecord(*texts))
WRITERS = {
    "CSV": lambda table: table.to_csv(index=False),
    "CSV with its index": lambda table: table.to_csv(),
    "CSV with semicolons": lambda table: table.to_csv(index=False, sep=";"),
    "CSV all in quotes": lambda table: table.to_csv(index=False, quoting=1),
    "CSV of Windows": lambda table: table.to_csv(index=False, lineterminator="\r\n"),
    "tabs all in quotes": lambda table: table.to_csv(index=False, sep="\t", quoting=1),
    "JSON Lines": lambda table: table.to_json(orient="records", lines=True),
    "JSON Lines as written": lambda table: table.to_json(
        orient="records", lines=True, force_ascii=False
    ),
    "an array": lambda table: table.to_json(orient="records"),
    "an array over lines": lambda table: table.to_json(orient="records", indent=2),
}


def written(write: str, names: dict[str, str], records: list[tuple[str, ...]]) -> io.BytesIO:
    rows = [tuple(record)[: len(names)] for record in records]
    table = pd.DataFrame(rows, columns=list(names.values()))
    return io.BytesIO(WRITERS[write](table).encode())


DOCUMENT_NAMES = [
    {"docno": "docno", "title": "title", "text": "text"},
    {"docno": "pid", "title": "headline", "text": "passage"},
    {"docno": "_id", "title": "Title", "text": "Main-Text"},
]


@given(records=st.lists(DOCUMENTS, min_size=1), names=st.sampled_from(DOCUMENT_NAMES))
def test_documents_come_back(records, names):
    for write in WRITERS:
        found = list(read_documents(written(write, names, records)))
        is_table = "JSON" not in write and "array" not in write
        assert found == [
            record._replace(title=record.title.strip()) if is_table else record
            for record in records
        ], write


TOPIC_NAMES = [
    {"number": "number", "title": "title", "description": "description", "narrative": "narrative"},
    {"number": "query-id", "title": "query", "description": "desc", "narrative": "narr"},
    {"number": "_id", "title": "text", "description": "question", "narrative": "narrative"},
]


@given(
    records=st.lists(TOPICS, min_size=1, unique_by=lambda topic: topic.number),
    names=st.sampled_from(TOPIC_NAMES),
)
def test_topics_come_back(records, names):
    records = [TopicRecord(*map(str.strip, record)) for record in records]
    records = [record for record in records if record.title] or [TopicRecord("1", "one")]
    for write in WRITERS:
        assert read_topics(written(write, names, records)) == records, write


@given(st.lists(DOCUMENTS, min_size=1))
def test_tabs_as_pandas_writes_them_come_back_a_line_each(records):
    records = [
        record._replace(
            title=record.title.strip(),
            text=record.text.replace("\n", " ").replace("\t", " ").replace('"', "'"),
        )
        for record in records
        if '"' not in record.title
    ] or [DocumentRecord("1", "one", "two")]
    table = pd.DataFrame(records)[["docno", "text", "title"]]
    content = table.to_csv(index=False, sep="\t").encode()
    assert list(read_documents(io.BytesIO(content))) == records


# A word of a line: no blank, and none of what no text has. Quotes and commas may stand in it.
NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zs", "Zl", "Zp"]),
    min_size=1,
    max_size=12,
).map(lambda name: f"d{name}")
GRADES = st.integers(-(10**9) + 1, 10**9 - 1)
JUDGMENTS = st.lists(st.tuples(NUMBERS, NAMES, GRADES), min_size=1, unique_by=lambda row: row[:2])
# Single precision is trec_eval's, and what it reads must stay finite.
SCORES = st.floats(-1e30, 1e30)
RANKINGS = st.dictionaries(
    NUMBERS, st.dictionaries(NAMES, SCORES, min_size=1, max_size=5), min_size=1, max_size=4
)


def by_topic(rows) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    for topic, docno, value in rows:
        found.setdefault(topic, {})[docno] = value
    return found


def without_quotes(rows):
    """Leave out names that pandas would put in quotes, where the format has none."""
    return [row for row in rows if '"' not in row[1]] or [("1", "d1", 1)]


@given(JUDGMENTS, st.sampled_from([" ", "\t"]), st.sampled_from(["0", "Q0", "3"]))
def test_qrels_of_pandas_and_ir_datasets_come_back(rows, separator, iteration):
    rows = without_quotes(rows)
    table = pd.DataFrame([(topic, iteration, docno, grade) for topic, docno, grade in rows])
    content = table.to_csv(sep=separator, header=False, index=False).encode()
    assert read_qrels(io.BytesIO(content), layout=STRICT).by_topic() == by_topic(rows)


@given(
    JUDGMENTS,
    st.sampled_from([",", ";", "\t"]),
    st.permutations(["query-id", "corpus-id", "score"]),
    st.sampled_from([0, 1]),
)
def test_qrels_with_a_header_come_back(rows, separator, order, quoting):
    rows = without_quotes(rows) if (separator, quoting) == ("\t", 0) else rows
    table = pd.DataFrame(rows, columns=["query-id", "corpus-id", "score"])[order]
    content = table.to_csv(sep=separator, index=False, quoting=quoting).encode()
    assert is_qrels(content)
    lines = b"".join(four_columns(io.BytesIO(content)))
    assert read_qrels(io.BytesIO(lines), layout=STRICT).by_topic() == by_topic(rows)


@given(JUDGMENTS)
def test_our_own_qrels_and_known_grades_come_back(rows):
    content = b"".join(write_qrels(rows))
    assert read_qrels(io.BytesIO(content), layout=STRICT).by_topic() == by_topic(rows)
    lines = [KnownLine(n, *row) for n, row in enumerate(sorted(rows), 1)]
    assert read_known(content) == (lines, [])


def read_back(content: bytes, topics) -> dict[str, dict[str, float]]:
    """Check a run as an upload does, and return its scores."""
    tag = first_tag(io.BytesIO(content))
    run = check_run(io.BytesIO(content), tag=tag, topics=[*topics]).run
    assert run is not None
    docnos, ends = [docno.decode() for docno in run.docnos.tolist()], run.offsets.tolist()
    return {
        topic: dict(zip(docnos[start:end], run.scores[start:end].tolist(), strict=True))
        for topic, start, end in zip(run.topics, ends, ends[1:], strict=False)
    }


@given(RANKINGS, st.sampled_from([" ", "\t"]), st.integers(0, 1))
def test_runs_of_pandas_and_ir_datasets_come_back(rankings, separator, first_rank):
    """The ranks of ir_datasets begin with 0."""
    rows = [
        (topic, "Q0", docno, first_rank + n, score, "run")
        for topic, ranking in rankings.items()
        for n, (docno, score) in enumerate(ranking.items())
        if '"' not in docno
    ] or [("1", "Q0", "d1", 1, 0.5, "run")]
    content = pd.DataFrame(rows).to_csv(sep=separator, header=False, index=False).encode()
    expected = by_topic((row[0], row[2], row[4]) for row in rows)
    assert read_back(content, expected) == expected


@given(RANKINGS)
def test_runs_of_three_columns_come_back_in_their_order(rankings):
    rows = [
        (topic, docno, n)
        for topic, ranking in rankings.items()
        for n, docno in enumerate(ranking, 1)
    ]
    content = "".join(f"{topic}\t{docno}\t{n}\n" for topic, docno, n in rows).encode()
    assert is_run(content)
    lines = b"".join(six_columns(io.BytesIO(content), "run"))
    expected = by_topic((topic, docno, -n) for topic, docno, n in rows)
    assert read_back(lines, expected) == expected


def exported(records, names: dict[str, str], kind: str) -> io.BytesIO:
    """Write records as `ir_datasets export` does: their fields by name, or a line of cells each."""
    rows = [{name: getattr(each, field) for field, name in names.items()} for each in records]
    blank = str.maketrans(dict.fromkeys("\t\n\r", " "))
    lines = {
        "jsonl": json.dumps,
        "tsv": lambda row: "\t".join(text.translate(blank) for text in row.values()),
    }
    return io.BytesIO("".join(f"{lines[kind](row)}\n" for row in rows).encode())


def on_a_line(text: str, kind: str) -> str:
    return text if kind == "jsonl" else text.replace("\t", " ").replace("\n", " ")


@pytest.mark.parametrize("kind", ["jsonl", "tsv"])
@given(
    records=st.lists(DOCUMENTS, min_size=1),
    names=st.sampled_from(
        [
            {"docno": "doc_id", "text": "text"},
            {"docno": "doc_id", "title": "title", "text": "text"},
            {"docno": "doc_id", "url": "url", "title": "title", "text": "body"},
        ]
    ),
)
def test_documents_of_ir_datasets_come_back(kind, records, names):
    records = [
        DocumentRecord(each.docno, *(each.title.strip(), each.text)[-len(names) + 1 :])
        if len(names) > 2
        else DocumentRecord(each.docno, "", each.text)
        for each in records
    ]
    found = list(read_documents(exported(records, names, kind)))
    assert found == [each._replace(text=on_a_line(each.text, kind)) for each in records]


@pytest.mark.parametrize("kind", ["jsonl", "tsv"])
@given(records=st.lists(TOPICS, min_size=1, unique_by=lambda topic: topic.number))
def test_topics_of_ir_datasets_come_back(kind, records):
    names = {"number": "query_id", "title": "title", "description": "description"}
    names["narrative"] = "narrative"
    kept = [each for each in records if each.title.strip()] or [TopicRecord("1", "one")]
    found = read_topics(exported(kept, names, kind))
    lined = [TopicRecord(*(on_a_line(text, kind).strip() for text in each)) for each in kept]
    assert found == lined


@pytest.mark.parametrize("kind", TOPIC_FORMATS)
@given(
    records=st.lists(TOPICS, min_size=1, unique_by=lambda topic: topic.number),
    split=st.sampled_from(["public", HIDDEN]),
)
def test_our_own_topics_come_back(kind, records, split):
    """As they are in the database: without white space around."""
    records = [TopicRecord(*map(str.strip, each[:4]), split) for each in records]
    records = [each for each in records if each.title] or [TopicRecord("1", "one", split=split)]
    _, write = TOPIC_FORMATS[kind]
    content = "".join(write([Topic(**each._asdict()) for each in records], [HIDDEN]))
    if kind == "tsv":
        records = [TopicRecord(each.number, " ".join(each.title.split())) for each in records]
    assert read_topics(io.BytesIO(content.encode())) == records


@given(st.lists(NAMES, min_size=1, unique=True))
def test_our_own_docnos_come_back(names):
    content = "".join(f"{name}\n" for name in names).encode()
    assert list(read_documents(io.BytesIO(content))) == [DocumentRecord(name) for name in names]
