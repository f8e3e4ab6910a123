"""Documents in several formats, one at a time, and faults with their lines."""

import io
import json
import re
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.trec import documents, markup
from cleverdon.trec.documents import DocumentRecord, read_documents
from cleverdon.trec.recognize import looks_like
from cleverdon.trec.streams import FormatError

TREC = """<DOC>
<DOCNO> FT911-3 </DOCNO>
<HEADLINE>FT  14 MAY 91 / World News</HEADLINE>
<TEXT>
<P>Smith &amp; Sons, 3 &lt; 4.</P>
</TEXT>
<TEXT>Second part.</TEXT>
</DOC>

<doc>
<docno>WTX001</docno>
<DOCHDR>
http://example.org:80/a b
HTTP/1.0 200 OK
</DOCHDR>
<title>A page</title>
<b>All</b> of it, if 3 <4 and 5> 4.
</doc>
"""


def read(content: str | bytes) -> list[DocumentRecord]:
    data = content if isinstance(content, bytes) else content.encode()
    return list(read_documents(io.BytesIO(data)))


def test_trec_text_is_taken_apart():
    assert read(TREC) == [
        DocumentRecord(
            "FT911-3", "FT  14 MAY 91 / World News", "Smith & Sons, 3 < 4.\n\nSecond part."
        ),
        DocumentRecord(
            "WTX001", "A page", "All  of it, if 3 <4 and 5> 4.", "http://example.org:80/a"
        ),
    ]


def texts(**options):
    return st.text(st.characters(exclude_categories=["Cc", "Cs"]), **options)


def records():
    docnos = st.from_regex(r"[0-9A-Za-zé_.-]{1,9}", fullmatch=True)
    record = st.builds(
        DocumentRecord, *(docnos, texts(), texts(), texts(), texts(max_size=35), texts())
    )
    return st.lists(record, min_size=1)


@given(records())
def test_json_lines_give_back_what_was_written(written):
    lines = (json.dumps(record._asdict(), ensure_ascii=False) for record in written)
    assert read("\n".join(lines)) == written


@given(records())
def test_tab_separated_values_give_back_what_was_written(written):
    lines = ["docno\ttitle\ttext", *("\t".join(record[:3]) for record in written)]
    assert read("\n".join(lines)) == [
        DocumentRecord(record.docno, record.title.strip(), record.text) for record in written
    ]


@pytest.mark.parametrize("docno", ["docno", "docid", "doc_id", "id", "_id"])
@pytest.mark.parametrize("text", ["text", "contents", "body"])
def test_json_fields_go_by_several_names(docno, text):
    assert read(json.dumps({docno: 7, text: "x", "url": None})) == [DocumentRecord("7", text="x")]


HTML = "<p>Smith &amp; <b>Sons</b></p>"


@pytest.mark.parametrize("is_html", [False, True])
@pytest.mark.parametrize(
    ("stored", "kind"),
    [
        ({"html": HTML}, "html"),
        ({"html": HTML, "content_type": "text/plain"}, "html"),
        ({"text": HTML, "content_type": "Text/HTML; charset=utf-8"}, "html"),
        ({"body": HTML, "body_content_type": "application/xhtml+xml"}, "html"),
        ({"text": HTML, "content_type": "text/plain"}, "text"),
        ({"text": HTML}, "chosen"),
        ({"text": HTML, "content_type": ""}, "chosen"),
    ],
)
def test_a_document_says_itself_that_it_is_html_or_its_file_does(stored, kind, is_html):
    stream = io.BytesIO(json.dumps({"id": "1", **stored}).encode())
    (record,) = read_documents(stream, is_html=is_html)
    is_page = kind == "html" or (kind == "chosen" and is_html)
    assert (record.html, record.text) == ((HTML, "") if is_page else ("", HTML))


def test_html_in_columns_and_in_trec_text_is_left_as_it_is():
    columns = list(read_documents(io.BytesIO(f"1\tA title\t{HTML}\n".encode()), is_html=True))
    assert columns == [DocumentRecord("1", "A title", html=HTML)]
    page = f"<html><head><title>A &amp; B</title></head><svg><text>label</text></svg>{HTML}</html>"
    source = f"<DOC>\n<DOCNO>1</DOCNO>\n<DOCHDR>\nhttp://x/ a\n</DOCHDR>\n{page}\n</DOC>\n"
    (record,) = read_documents(io.BytesIO(source.encode()), is_html=True)
    assert record[:4] == ("1", "", "", "http://x/")
    assert "".join(record.html.split()) == "".join(page.split())


def in_doc(content: str, docno: str = "1") -> str:
    return f"<DOC>\n<DOCNO>{docno}</DOCNO>\n{content}\n</DOC>\n"


ALONE = {
    "TREC text on one line": ("<DOC><DOCNO>1</DOCNO>text</DOC>\n", ("1", "", "text")),
    "two columns": ("d1\tthe text\r\n", ("d1", "", "the text")),
    "three columns": ("d1\tA title\tthe text\r\n", ("d1", "A title", "the text")),
    "four columns": ("d1\thttp://x\tA title\ttext\r\n", ("d1", "A title", "text", "http://x")),
    "an entity that is no character": (in_doc(f"a&#{'1' * 5000};b"), ("1", "", "a\ufffdb")),
    "a CR is white space": (in_doc("<TEXT>a\rb</TEXT>"), ("1", "", "a\rb")),
    "entities in a docno and a title": (
        in_doc("<TITLE>a&amp;b</TITLE><TEXT>c</TEXT>", " cof/a&amp;b-1 "),
        ("cof/a&b-1", "a&b", "c"),
    ),
    "a byte order mark": ('\ufeff{"id": "1"}', ("1",)),
    "what cannot be stored": (
        r'{"id": "1", "text": "a\u0000b\ud800"}',
        ("1", "", "a\ufffdb\ufffd"),
    ),
    "numbers as written": ('{"id": 1.50, "title": 1e3, "text": -0}', ("1.50", "1e3", "-0")),
}


@pytest.mark.parametrize(("content", "record"), ALONE.values(), ids=ALONE)
def test_a_document_is_read_as_it_is_meant(content, record):
    assert read(content) == [DocumentRecord(*record)]


class Endless(io.RawIOBase):
    """Documents without end: only a reader that streams comes back from it."""

    def readable(self):
        return True

    def readinto(self, buffer):
        line = b'{"id": "1", "text": "x"}\n'
        buffer[: len(line)] = line
        return len(line)


def test_documents_come_before_the_file_has_ended():
    stream = io.BufferedReader(Endless())
    assert len(list(islice(read_documents(stream), 1000))) == 1000


def test_documents_before_a_fault_are_read():
    found = read_documents(io.BytesIO(b'{"id": "1"}\n{"id"'))
    assert next(found).docno == "1"
    with pytest.raises(FormatError, match="Line 2: It is not JSON"):
        next(found)


DOC = b"<DOC>\n<DOCNO>1</DOCNO>\n</DOC>\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The file is empty."),
        (b" \n\n", "The file is empty."),
        (b'{"id": "1"}\n{"text": "x"}', "2: The document has no docno: none of docno, pid"),
        (b'{"id": "a b"}', "1: A docno is one word, not 'a b'."),
        (b'{"id": " a"}', "1: A docno is one word, not ' a'."),
        (b'{"id": "a\\u0000"}', "1: A docno is one word"),
        (b'{"id": "a\\u0001"}', "1: A docno holds no control characters, as 'a\\x01' does."),
        (b'{"id": "a\\udfff"}', "1: A docno is one word"),
        (b'{"id": "' + "é".encode() * 128 + b'"}', "1: The docno is longer than 255 bytes."),
        (b"d1\t" + b"x" * 100_001 + b"\tone", "1: The title is longer than 100,000 characters."),
        (
            b"d1\t/" + b"x" * 100_000 + b"\tone\ttwo",
            "1: The url is longer than 100,000 characters.",
        ),
        (
            b'{"id": "1", "language": "' + b"x" * 36 + b'"}',
            "1: The language is longer than 35 characters.",
        ),
        (b'{"id": "1"}\n["id"]', "2: It is not a JSON object."),
        (b'\n{"id": NaN}', "2: It is not JSON: NaN is not a value of JSON."),
        (b'{"a": [{"x": -Infinity}]}', "1: It is not JSON: -Infinity is not a value of JSON."),
        (b'{"id": true}', "1: The id is true or false; it must be text or a number."),
        (
            b'{"id": "1"}\n{"id": "2", "text": ["a", {}]}',
            "2: The text is a list or an object; it must be text or a number.",
        ),
        (b'{"id": "1"}\n{"id": "2", "id": "3"}', "2: The key 'id' comes twice in one object."),
        (b'{"id": "1", "more": {"b": 1, "b": 1}}', "1: The key 'b' comes twice in one object."),
        (b'{"id": ' + b"9" * 5000 + b"}", "1: The docno is longer than 255 bytes."),
        (
            b'{"id": "1"}\r{"id": "2"}',
            "1: It holds a CR without LF: save the file with LF or CR LF line ends.",
        ),
        (b"d1\tx\rd2\tx\r", "1: It holds a CR without LF"),
        (b"<DOC>\r<DOCNO>1</DOCNO>\r</DOC>\r" * 2, "1: It holds a CR without LF"),
        ("\ufeff\ufeffd1\tx".encode(), "1: It begins with a byte order mark"),
        ("d1\tx\n\ufeffd2\tx".encode(), "2: A docno is one word, not '\\ufeffd2'."),
        (b'{"id": "1"}\n{"id":' + b"[" * 100_000, "2: It is not JSON"),
        (b'{"id": "1"}\n{"id": "\xff"}', "2: It is not UTF-8: byte 9 of the line cannot be read."),
        (b"d1\tx\nd2", "2: It has 1 tab-separated column;"),
        (DOC + b"<DOC>\n<DOCNO>2", "4: The DOC that begins here does not end."),
        (b"<DOC>\n</DOC>\n", "1: The document has no docno: neither a DOCNO nor"),
        (DOC + b"x", "4: Expected <DOC>, found 'x'."),
        (
            b"<DOC><DOCNO>1</DOCNO></DOC><DOC>",
            "1: After </DOC> the next document begins on a new line.",
        ),
    ],
)
def test_a_fault_is_named_with_its_line(content, message):
    with pytest.raises(FormatError) as caught:
        read(content)
    assert str(caught.value).startswith(f"Line {message}" if message[0].isdigit() else message)


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \t\n"])
@pytest.mark.parametrize("document", [b"d1\tx\n", b"<DOC>\n<DOCNO>d1</DOCNO>\n"])
def test_there_is_a_limit_to_blank_lines_in_a_row(blank, document, monkeypatch):
    monkeypatch.setattr(documents, "MAX_BLANK_LINES", 3)
    end = b"</DOC>\n" if document.startswith(b"<") else b""
    within = blank * 3 if end else b""
    assert len(read(blank * 3 + document + within + end + blank * 3)) == 1
    with pytest.raises(FormatError, match="Line 4: It is the last of 4 blank lines"):
        read(blank * 4 + document + end)
    after = 1 + document.count(b"\n") + end.count(b"\n") + 3
    with pytest.raises(FormatError, match=f"Line {after}: It is the last of 4 blank"):
        read(document + end + blank * 4)


@pytest.mark.parametrize(
    ("start", "rest"),
    [(b'{"id": "1", "text": "', b"x"), (b"<DOC>\n", b"x\n"), (b"<DOC>\n\n\n<DOC>\n\n\n", b"x\n")],
)
def test_a_document_that_is_too_long_is_refused_before_it_ends(start, rest, monkeypatch):
    assert documents.MAX_BYTES == 16 * 1024 * 1024
    monkeypatch.setattr(documents, "MAX_BYTES", 1000)
    stream = io.BytesIO(start + rest * 2000)
    with pytest.raises(FormatError, match=r"Line 1: .* is longer than 1,000 bytes\."):
        list(read_documents(stream))
    assert stream.tell() < 1100


PIECES = ("<TEXT>", "</text>", "<HL>", "</HL>", "<title>", "</TITLE>", "<b>", "a", "\n", "İ")


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_elements_are_what_a_backtracking_expression_finds(content):
    titles, texts = (
        re.compile(rf"<({tags})>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
        for tags in ("TITLE|HL", "TEXT")
    )
    found = read(f"<DOC><DOCNO>1</DOCNO>{content}</DOC>")[0]
    title = titles.search(content)
    inner = [match[2] for match in texts.finditer(content)]
    plain = [markup.plain(text) for text in inner or [titles.sub("", content)]]
    assert found.text == "\n\n".join(plain)
    assert found.title == markup.plain(title[2] if title else "")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"number": "1", "title": "a", "description": "b"}', "topics"),
        ('{"query_id": "1", "query": "a"}', "topics"),
        ('{"id": "1", "title": "a"}', ""),
        ('{"id": "1", "title": "a", "text": "b", "description": "c"}', ""),
        ('{"docno": "1", "topic": "a"}', "documents"),
    ],
)
def test_topics_and_documents_are_told_by_the_names_of_their_fields(line, what):
    assert looks_like(line + "\n") == what


@pytest.mark.parametrize("header", ["", "docno\n", "\n"])
def test_a_list_of_docnos_is_documents_without_text(header):
    assert read(f"{header}FT911-3\r\n\n FT911-5\n") == [
        DocumentRecord("FT911-3"),
        DocumentRecord("FT911-5"),
    ]


def test_a_line_of_two_words_in_a_list_of_docnos_is_named():
    with pytest.raises(FormatError, match=r"Line 2: A docno is one word, not 'A.; Bennett'"):
        read("d1\nA.; Bennett\n")
