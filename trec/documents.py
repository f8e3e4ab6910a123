"""Documents from JSON Lines, TREC's `<DOC>` text, tab-separated values or a list of docnos.

They are read one at a time, so that a file may have any size.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO, NamedTuple

from trec.docnos import MAX_DOCNO
from trec.entities import unescaped
from trec.json_lines import first_value, json_objects
from trec.streams import (
    BYTE_ORDER_MARK,
    LONE_CR,
    MARKED,
    FormatError,
    decoded,
    has_lone_cr,
    storable,
)
from trec.words import counted

MAX_LANGUAGE = 35
MAX_TITLE = 100_000  # characters; pages show a document's title and its url whole
MAX_BYTES = 1 << 24
# In a row: a hundred million would take minutes to read.
MAX_BLANK_LINES = 1_000_000
NAMES = {
    "docno": ("docno", "docid", "doc_id", "id", "_id"),
    "title": ("title", "headline"),
    "text": ("text", "contents", "body", "content", "passage"),
    "url": ("url",),
    "language": ("language", "lang"),
    "html": ("html",),
}
CONTENT_TYPE = ("content_type", "body_content_type")
HTML_TYPES = ("text/html", "application/xhtml+xml")
DOC_OPENS = re.compile(r"\s*<DOC>", re.IGNORECASE)
DOC_CLOSES = re.compile(r"</DOC>", re.IGNORECASE)
# The tags of a field.
OPENS = {
    "docno": re.compile("<(DOCNO)>", re.IGNORECASE),
    "title": re.compile("<(TITLE|HEADLINE|HL)>", re.IGNORECASE),
    "url": re.compile("<(URL|DOCHDR)>", re.IGNORECASE),
    "text": re.compile("<(TEXT)>", re.IGNORECASE),
}
MARKUP = re.compile(r"</?[A-Za-z!?][^<>]{0,200}>")


class DocumentRecord(NamedTuple):
    """A document as read. `html` is the source of an HTML document, and then replaces `text`."""

    docno: str
    title: str = ""
    text: str = ""
    url: str = ""
    language: str = ""
    html: str = ""


# Lines and documents, each with the number of its (first) line.
NumberedLines = Iterable[tuple[int, str]]
Records = Iterator[tuple[int, DocumentRecord]]


def read_documents(stream: BinaryIO, *, is_html: bool = False) -> Iterator[DocumentRecord]:
    """Read documents from a stream of plain bytes (see `streams.opened`), one at a time.

    A byte order mark is dropped. With `is_html` a text is HTML unless its record says otherwise.

    FormatError, with the line, for a missing docno or one with white space or over 255 bytes, for
    bytes that are not UTF-8, broken JSON, a DOC that does not end, and a document over 16 MiB.
    """
    lines = enumerate(_lines(stream), 1)
    first = next(((line, text) for line, text in lines if text.strip()), None)
    if first is None:
        raise FormatError(None, "The file is empty.")
    reader = _reader(first[1])
    for line, record in reader(chain([first], lines), is_html):
        _check_names(line, record)
        yield DocumentRecord(*map(storable, record))


def _lines(stream: BinaryIO) -> Iterator[str]:
    read_line = partial(stream.readline, MAX_BYTES + 1)
    n_blank = 0
    for line, text in enumerate(iter(read_line, b""), 1):
        if len(text) > MAX_BYTES:
            raise _too_long(line)
        n_blank = n_blank + 1 if text.isspace() else 0
        if n_blank > MAX_BLANK_LINES:
            blank = f"It is the last of {n_blank:,} blank lines"
            raise FormatError(line, f"{blank}; {MAX_BLANK_LINES:,} are the limit.")
        source = decoded(text, line)
        if line == 1:
            source = source.removeprefix(BYTE_ORDER_MARK)
        if line == 1 and source.startswith(BYTE_ORDER_MARK):
            raise FormatError(line, MARKED)
        yield source


def _too_long(line: int) -> FormatError:
    return FormatError(line, f"The document is longer than {MAX_BYTES:,} bytes.")


def _reader(first: str) -> Callable[[NumberedLines, bool], Records]:
    if DOC_OPENS.match(first):
        return _trec
    if first.lstrip().startswith("{"):
        return _json_lines
    return _docnos if len(first.split()) == 1 and "\t" not in first else _tab_separated


def _check_names(line: int, record: DocumentRecord) -> None:
    docno = record.docno
    if not docno:
        raise FormatError(line, "The document has no docno.")
    if docno.split() != [docno] or storable(docno) != docno or BYTE_ORDER_MARK in docno:
        raise FormatError(line, f"A docno is one word, not {docno[:60]!r}.")
    if len(docno.encode()) > MAX_DOCNO:
        raise FormatError(line, f"The docno is longer than {MAX_DOCNO} bytes.")
    if len(record.language) > MAX_LANGUAGE:
        message = f"The language is longer than {MAX_LANGUAGE} characters."
        raise FormatError(line, message)
    for name in ("title", "url"):
        if len(getattr(record, name)) > MAX_TITLE:
            raise FormatError(line, f"The {name} is longer than {MAX_TITLE:,} characters.")


def _json_lines(lines: NumberedLines, is_html: bool) -> Records:
    for line, stored in json_objects(lines):
        values = (first_value(line, stored, names) for names in NAMES.values())
        record = DocumentRecord(*values)
        stated = first_value(line, stored, CONTENT_TYPE).strip().lower()
        is_page = stated.startswith(HTML_TYPES) if stated else is_html
        if is_page and not record.html:
            record = record._replace(html=record.text, text="")
        yield line, record


def _docnos(lines: NumberedLines, _: bool) -> Records:
    """Read a list of docnos, one a line, without texts."""
    for line, source in lines:
        if has_lone_cr(source):
            raise FormatError(line, LONE_CR)
        docno = source.strip()
        if docno and not (line == 1 and docno.lower() in NAMES["docno"]):
            yield line, DocumentRecord(docno)


def _tab_separated(lines: NumberedLines, is_html: bool) -> Records:
    """Read docno and text, or docno, title and text, or docno, url, title and text."""
    for line, source in lines:
        cells = source.rstrip("\r\n").split("\t")
        if not source.strip() or (line == 1 and cells[0].lower() in NAMES["docno"]):
            continue
        if has_lone_cr(source):
            raise FormatError(line, LONE_CR)
        if not 2 <= len(cells) <= 4:
            columns = counted(len(cells), "tab-separated column")
            message = f"It has {columns}; 2 to 4 are needed: docno, title, text."
            raise FormatError(line, message)
        docno, *others, text = cells
        title = others[-1] if others else ""
        url = others[0] if len(others) == 2 else ""
        names = docno.strip(), title.strip()
        record = DocumentRecord(*names, text, url.strip())
        yield line, record._replace(text="", html=text) if is_html else record


def _trec(lines: NumberedLines, is_html: bool) -> Records:
    """Read `<DOC>` elements, each beginning on a line of its own."""
    rest = iter(lines)
    for line, source in rest:
        if opening := DOC_OPENS.match(source):
            content = _to_its_end(line, source[opening.end() :], rest)
            yield line, _of_element(content, is_html=is_html)
        elif source.strip():
            message = f"Expected <DOC>, found {source.strip()[:40]!r}."
            raise FormatError(line, message)


def _to_its_end(start: int, source: str, rest: Iterator[tuple[int, str]]) -> str:
    """Return the content up to </DOC>: `source` and the lines of `rest`."""
    content, size = list[str](), 0
    for line, text in chain([(start, source)], rest):
        size += len(text)
        if size > MAX_BYTES:
            raise _too_long(start)
        if closing := DOC_CLOSES.search(text):
            if text[closing.end() :].strip():
                message = "After </DOC> the next document begins on a new line."
                raise FormatError(line, LONE_CR if has_lone_cr(text) else message)
            return "".join([*content, text[: closing.start()]])
        content.append(text)
    raise FormatError(start, "The DOC that begins here does not end.")


def _of_element(content: str, *, is_html: bool) -> DocumentRecord:
    """Take a DOC apart; without a TEXT, and in HTML, all but docno, title and url is its text."""
    docno, title, url = (
        next((text for _, text, _ in _elements(name, content)), "")
        for name in ("docno", "title", "url")
    )
    # In HTML, <text> is an element of SVG.
    texts = [] if is_html else [text for _, text, _ in _elements("text", content)]
    if not texts:
        for name in ("docno", "title", "url"):
            content = _without(name, content)
        texts = [content]
    address = url.split()[:1]  # a DOCHDR goes on with the server's answer
    text = "" if is_html else "\n\n".join(map(_plain, texts))
    source = texts[0] if is_html else ""
    names = unescaped(docno).strip(), _plain(title)
    return DocumentRecord(*names, text, "".join(address), html=source)


def _elements(name: str, content: str) -> Iterator[tuple[int, str, int]]:
    r"""Yield start, content and end of each element of a field.

    They are the matches of `<(tags)>(.*?)</\1>`, but in linear time: a missing closing tag is
    searched for once.
    """
    unclosed, start = set[str](), 0
    while opening := OPENS[name].search(content, start):
        tag, start = opening[1].lower(), opening.end()
        closes = re.compile(f"</{tag}>", re.IGNORECASE)
        closing = None if tag in unclosed else closes.search(content, start)
        if closing:
            yield opening.start(), content[start : closing.start()], closing.end()
            start = closing.end()
        else:
            unclosed.add(tag)


def _without(name: str, content: str) -> str:
    kept, rest = list[str](), 0
    for start, _, end in _elements(name, content):
        kept.append(content[rest:start])
        rest = end
    return "".join([*kept, content[rest:]])


def _plain(content: str) -> str:
    """Drop tags, then put characters for entities."""
    return unescaped(MARKUP.sub(" ", content)).strip()
