"""Documents from JSON, TREC's `<DOC>` text, CSV, tab-separated values or a list of docnos.

They are read one at a time, so that a file may have any size.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

from cleverdon.trec import columns
from cleverdon.trec.doc_elements import parts_of
from cleverdon.trec.docnos import MAX_DOCNO
from cleverdon.trec.field_names import OF_DOCUMENTS, Unread, Values, as_text, none_of, plain_name
from cleverdon.trec.json_lines import is_cut, json_objects, json_values
from cleverdon.trec.recognize import not_columns, not_documents
from cleverdon.trec.streams import (
    BYTE_ORDER_MARK,
    LONE_CR,
    MARKED,
    FormatError,
    brief,
    decoded,
    has_lone_cr,
    not_a_word,
    storable,
)
from cleverdon.trec.words import counted

MAX_LANGUAGE = 35
MAX_TITLE = 100_000  # characters; pages show a document's title and its url whole
MAX_BYTES = 1 << 24
# In a row: a hundred million would take minutes to read.
MAX_BLANK_LINES = 1_000_000
HTML_TYPES = ("text/html", "application/xhtml+xml")
DOC_OPENS = re.compile(r"\s*(<DOC(?:\s[^<>]*)?>)", re.IGNORECASE)
DOC_CLOSES = re.compile(r"</DOC>", re.IGNORECASE)
# A line that may stand around documents.
_AROUND = re.compile(
    r"\s*(?:<[?!][^<>]*>|</?(?:DOCS|DOCSTREAM|DOCUMENTS|COLLECTION|CORPUS|ROOT|XML)\b[^<>]*>)\s*",
    re.IGNORECASE,
)
_PAGE = re.compile(r"\s*<!doctype html", re.IGNORECASE)
# In words, what a header must name, and the fields of which one will do.
NEEDED = {"docno": ("docno",), "text": ("text", "title", "html")}
_NO_DOCNO = "The document has no docno"
_ADDRESS = re.compile(r"[:/.]")
_NO_ADDRESS = (
    "Its second column, {}, is no address: four columns are docno, url, title and text. A first "
    "line with their names has them in another order."
)


class DocumentRecord(NamedTuple):
    """A document as read. `html` is the source of an HTML document, and then replaces `text`."""

    docno: str
    title: str = ""
    text: str = ""
    url: str = ""
    language: str = ""
    html: str = ""


class Options(NamedTuple):
    """How texts are read that do not say it themselves, and where to note what is not read."""

    is_html: bool = False
    unread: Unread | None = None


# Lines and documents, each with the number of its (first) line.
NumberedLines = Iterable[tuple[int, str]]
Records = Iterator[tuple[int, DocumentRecord]]


def read_documents(
    stream: BinaryIO, *, is_html: bool = False, unread: Unread | None = None
) -> Iterator[DocumentRecord]:
    """Read documents from a stream of plain bytes (see `streams.opened`), one at a time.

    A byte order mark is dropped. With `is_html` a text is HTML unless its record says otherwise.
    Names of fields that are not read are noted in `unread`.

    FormatError, with the line, for a missing docno or one with white space or over 255 bytes, for
    bytes that are not UTF-8, broken JSON, a DOC that does not end, and a document over 16 MiB.
    """
    lines = enumerate(_lines(stream), 1)
    first = next(((line, text) for line, text in lines if text.strip()), None)
    if first is None:
        raise FormatError(None, "The file is empty.")
    reader = _reader(*first)
    for line, record in reader(chain([first], lines), Options(is_html, unread)):
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


def _reader(line: int, first: str) -> Callable[[NumberedLines, Options], Records]:
    """Choose by what the file begins with, never by what stands in a text."""
    begins = first.lstrip()
    if begins.startswith("<"):
        return _trec
    if begins.startswith(("{", "[")):
        is_lines = begins.startswith("{") and not is_cut(first)
        return partial(_json, json_objects if is_lines else json_values)
    if why := not_documents(begins):
        raise FormatError(line, why)
    if header := columns.header_of(first, OF_DOCUMENTS, "docno"):
        header.check(line, OF_DOCUMENTS, NEEDED)
        return partial(_table, header)
    return _docnos if len(first.split()) == 1 and "\t" not in first else _tab_separated


def _check_names(line: int, record: DocumentRecord) -> None:
    docno = record.docno
    if not docno:
        raise FormatError(line, f"{_NO_DOCNO}.")
    if fault := not_a_word("A docno", docno):
        raise FormatError(line, fault)
    if len(docno.encode()) > MAX_DOCNO:
        raise FormatError(line, f"The docno is longer than {MAX_DOCNO} bytes.")
    if len(record.language) > MAX_LANGUAGE:
        message = f"The language is longer than {MAX_LANGUAGE} characters."
        raise FormatError(line, message)
    for name in ("title", "url"):
        if len(getattr(record, name)) > MAX_TITLE:
            raise FormatError(line, f"The {name} is longer than {MAX_TITLE:,} characters.")


def _json(
    objects: Callable[[NumberedLines], Iterator[tuple[int, dict[str, Any]]]],
    lines: NumberedLines,
    options: Options,
) -> Records:
    for line, stored in objects(lines):
        yield line, _of_fields(line, stored, options)


def _table(header: columns.Header, lines: NumberedLines, options: Options) -> Records:
    rest = iter(lines)
    next(rest)  # the header
    for line, stored in columns.records(rest, header):
        record = _of_fields(line, stored, options)
        docno, title, url = record.docno.strip(), record.title.strip(), record.url.strip()
        yield line, record._replace(docno=docno, title=title, url=url)


def _of_fields(line: int, stored: dict[str, Any], options: Options) -> DocumentRecord:
    found = OF_DOCUMENTS.values_of(stored)
    docno, title, text, url, language, html, stated = (
        "\n\n".join([as_text(line, name, _joined(value)) for name, value in parts])
        for parts in found.parts.values()
    )
    if not docno:
        has = [*stored] if title or text else stored
        raise FormatError(line, none_of(_NO_DOCNO, OF_DOCUMENTS.names("docno"), has))
    if found.others:
        _note(line, stored, found, options.unread)
    stated = stated.strip().lower()
    is_page = stated.startswith(HTML_TYPES) if stated else options.is_html
    if is_page and not html:
        html, text = text, ""
    return DocumentRecord(docno, title, text, url, language, html)


def _joined(value: object) -> object:
    """Return the paragraphs of a list as one text; anything else as it is."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n\n".join(value)
    return value


def _note(line: int, stored: dict[str, Any], found: Values, unread: Unread | None) -> None:
    """Note what is not read of a record. FormatError if that is all that it says."""
    if unread:
        unread.note(found.others)
    said = ("title", "text", "html", "url")
    if any(found.parts[field] for field in said):
        return
    known = {name for field in said for name in OF_DOCUMENTS.names(field)}
    if known.isdisjoint(map(plain_name, stored)):
        names = [*OF_DOCUMENTS.names("title"), *OF_DOCUMENTS.names("text")]
        others = {name: stored[name] for name in found.others}
        raise FormatError(line, none_of("The document has no text", names, others))


def _docnos(lines: NumberedLines, _: Options) -> Records:
    """Read a list of docnos, one a line, without texts."""
    first = ""
    for line, source in lines:
        if has_lone_cr(source):
            raise FormatError(line, LONE_CR)
        docno = source.strip()
        is_like_first = any(first.count(mark) == docno.count(mark) > 0 for mark in ",;")
        if is_like_first and " " in docno and (why := not_columns(docno, "docno,title,text")):
            raise FormatError(line, why)
        if docno and (first or not OF_DOCUMENTS.is_named("docno", [docno])):
            yield line, DocumentRecord(docno)
        first = first or docno


def _tab_separated(lines: NumberedLines, options: Options) -> Records:
    """Read docno and text, or docno, title and text, or docno, url, title and text."""
    for line, source in lines:
        if not source.strip():
            continue
        if has_lone_cr(source):
            raise FormatError(line, LONE_CR)
        cells = source.rstrip("\r\n").split("\t")
        if not 2 <= len(cells) <= 4:
            n = counted(len(cells), "tab-separated column")
            message = f"It has {n}; 2 to 4 are needed: docno, title, text."
            raise FormatError(line, not_columns(source, "docno,title,text") or message)
        docno, *others, text = cells
        title = others[-1] if others else ""
        url = others[0].strip() if len(others) == 2 else ""
        if url and not _ADDRESS.search(url):
            raise FormatError(line, _NO_ADDRESS.format(brief(url)))
        names = docno.strip(), title.strip()
        record = DocumentRecord(*names, text, url)
        yield line, record._replace(text="", html=text) if options.is_html else record


def _trec(lines: NumberedLines, options: Options) -> Records:
    """Read `<DOC>` elements, each beginning on a line of its own."""
    rest, is_first = iter(lines), True
    for line, source in rest:
        if opening := DOC_OPENS.match(source):
            content = _to_its_end(line, source[opening.end() :], rest)
            parts = parts_of(opening[1], content, options.unread, is_html=options.is_html)
            if not parts.docno:
                why = f"{_NO_DOCNO}: neither a DOCNO nor an id in its first tag."
                raise FormatError(line, why)
            yield (
                line,
                DocumentRecord(parts.docno, parts.title, parts.text, parts.url, "", parts.html),
            )
            is_first = False
        elif source.strip():
            _check_around(line, source, is_first=is_first)


def _check_around(line: int, source: str, *, is_first: bool) -> None:
    """FormatError for a line outside of documents that is not around them all."""
    is_page = _PAGE.match(source) is not None
    if _AROUND.fullmatch(source) and not is_page:
        return
    expected = f"Expected <DOC>, found {source.strip()[:40]!r}."
    raise FormatError(line, (is_first and not_documents(source)) or expected)


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
