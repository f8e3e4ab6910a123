"""What pandas and others write of topics and documents is read back equal."""

import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trec.documents import DocumentRecord, read_documents
from trec.topics import TopicRecord, read_topics

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


@pytest.mark.parametrize("write", WRITERS)
@given(records=st.lists(DOCUMENTS, min_size=1), names=st.sampled_from(DOCUMENT_NAMES))
def test_documents_come_back(write, records, names):
    found = list(read_documents(written(write, names, records)))
    is_table = "JSON" not in write and "array" not in write
    assert found == [
        record._replace(title=record.title.strip()) if is_table else record for record in records
    ]


TOPIC_NAMES = [
    {"number": "number", "title": "title", "description": "description", "narrative": "narrative"},
    {"number": "query-id", "title": "query", "description": "desc", "narrative": "narr"},
    {"number": "_id", "title": "text", "description": "question", "narrative": "narrative"},
]


@pytest.mark.parametrize("write", WRITERS)
@given(
    records=st.lists(TOPICS, min_size=1, unique_by=lambda topic: topic.number),
    names=st.sampled_from(TOPIC_NAMES),
)
def test_topics_come_back(write, records, names):
    records = [TopicRecord(*map(str.strip, record)) for record in records]
    records = [record for record in records if record.title] or [TopicRecord("1", "one")]
    assert read_topics(written(write, names, records)) == records


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
