from io import BytesIO

import pytest

from campaigns.core.documents import DocumentRecord, read_documents
from campaigns.core.formats import FormatError


def read(text: str | bytes) -> list[DocumentRecord]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_documents(BytesIO(data)))


def test_json_lines():
    text = '\n{"docno": "d1", "title": "T", "text": "a\\nb", "url": "u", "language": "en"}\n{"_id": 7, "contents": "c"}\n'
    assert read(text) == [
        DocumentRecord("d1", "T", "a\nb", "u", "en"),
        DocumentRecord("7", "", "c"),
    ]


def test_trec_text():
    text = "<DOC>\n<DOCNO> FT911-1 </DOCNO>\n<HEADLINE>Head</HEADLINE>\n<TEXT>\nOne <P>two\n</TEXT>\n</DOC>\n<DOC><DOCNO>x</DOCNO>only text</DOC>\n"
    assert read(text) == [
        DocumentRecord("FT911-1", "Head", "One  two"),
        DocumentRecord("x", "", "only text"),
    ]


def test_tab_separated():
    assert read(
        "docno\ttext\nd1\tone\nd2\tTitle\ttwo\nd3\thttp://x\tTitle\tthree\n"
    ) == [
        DocumentRecord("d1", "", "one"),
        DocumentRecord("d2", "Title", "two"),
        DocumentRecord("d3", "Title", "three", "http://x"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "The file is empty."),
        ('{"title": "x"}', 1, "The document has no docno."),
        ('{"docno": "a b"}', 1, "A docno is one word, not 'a b'."),
        (
            '{"docno": "a"}\n{bad',
            2,
            "It is not JSON: Expecting property name enclosed in double quotes at column 2.",
        ),
        ('{"docno": "a"}\n3', 2, "It is not a JSON object."),
        ("<DOC>\n<DOCNO>a</DOCNO>\n", 1, "The DOC that begins here does not end."),
        (
            "<DOC>\n<DOCNO>a</DOCNO>\n</DOC>\nstray\n",
            4,
            "Here should stand <DOC>, not 'stray'.",
        ),
        (
            "a\tb\tc\td\te",
            1,
            "It has 5 tab-separated columns; 2 to 4 are needed: docno, title, text.",
        ),
        ('{"docno": "' + "x" * 256 + '"}', 1, "The docno is longer than 255 bytes."),
        (
            b'{"docno": "a"}\n{"docno": "\xff"}',
            2,
            "It is not UTF-8: byte 12 of the line cannot be read.",
        ),
    ],
)
def test_bad_documents_are_refused_with_their_line(text, line, message):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert (caught.value.line, caught.value.message) == (line, message)


def test_documents_before_a_bad_one_have_been_given():
    given = []
    with pytest.raises(FormatError):
        given.extend(read_documents(BytesIO(b'{"docno": "a"}\n{')))
    records = read_documents(BytesIO(b'{"docno": "a"}\n{'))
    assert next(records).docno == "a"
