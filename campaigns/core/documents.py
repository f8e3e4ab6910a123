"""Documents from JSON Lines, TREC's `<DOC>` text or tab-separated values, one after the other, whatever the file's size."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO, NamedTuple

from campaigns.core.formats import FormatError

MAX_DOCNO = 255
NAMES = {
    "docno": ("docno", "docid", "doc_id", "id", "_id"),
    "title": ("title", "headline"),
    "text": ("text", "contents", "body", "content", "passage"),
    "url": ("url",),
    "language": ("language", "lang"),
}
DOC_OPENS = re.compile(r"\s*<DOC>\s*", re.IGNORECASE)
DOC_CLOSES = re.compile(r"</DOC>", re.IGNORECASE)
PARTS = {
    name: re.compile(rf"<({tags})>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
    for name, tags in {
        "docno": "DOCNO",
        "title": "TITLE|HEADLINE|HL",
        "text": "TEXT",
        "url": "URL|DOCHDR",
    }.items()
}
MARKUP = re.compile(r"<[^<>]{1,200}>")


class DocumentRecord(NamedTuple):
    """A document as read."""

    docno: str
    title: str = ""
    text: str = ""
    url: str = ""
    language: str = ""


Reader = Callable[[Iterable[tuple[int, str]]], Iterator[tuple[int, DocumentRecord]]]


def read_documents(stream: BinaryIO) -> Iterator[DocumentRecord]:
    """Read documents from a stream of plain bytes (see `formats.opened`).

    FormatError, with the line, for a missing docno or one with white space or over 255 bytes, for bytes that are not
    UTF-8, broken JSON and a DOC that does not end.
    """
    lines = enumerate(_lines(stream), 1)
    first = next(((line, text) for line, text in lines if text.strip()), None)
    if first is None:
        raise FormatError(None, "The file is empty.")
    reader = _reader(first[1])
    for line, record in reader(_again(first, lines)):
        _check_docno(line, record.docno)
        yield record


def _lines(stream: BinaryIO) -> Iterator[str]:
    for line, text in enumerate(stream, 1):
        try:
            yield text.decode("utf-8-sig" if line == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise FormatError(
                line,
                f"It is not UTF-8: byte {error.start + 1} of the line cannot be read.",
            ) from error


def _again(
    first: tuple[int, str], rest: Iterable[tuple[int, str]]
) -> Iterator[tuple[int, str]]:
    yield first
    yield from rest


def _reader(first: str) -> Reader:
    if DOC_OPENS.match(first):
        return _trec
    return _json_lines if first.lstrip().startswith("{") else _tab_separated


def _check_docno(line: int, docno: str) -> None:
    if not docno:
        raise FormatError(line, "The document has no docno.")
    if len(docno.split()) != 1 or docno != docno.strip():
        raise FormatError(line, f"A docno is one word, not {docno[:60]!r}.")
    if len(docno.encode()) > MAX_DOCNO:
        raise FormatError(line, f"The docno is longer than {MAX_DOCNO} bytes.")


def _json_lines(
    lines: Iterable[tuple[int, str]],
) -> Iterator[tuple[int, DocumentRecord]]:
    for line, source in lines:
        if not source.strip():
            continue
        try:
            stored = json.loads(source)
        except json.JSONDecodeError as error:
            raise FormatError(
                line, f"It is not JSON: {error.msg} at column {error.colno}."
            ) from error
        if not isinstance(stored, dict):
            raise FormatError(line, "It is not a JSON object.")
        yield line, DocumentRecord(*(_value(stored, names) for names in NAMES.values()))


def _value(stored: Mapping[str, object], names: Iterable[str]) -> str:
    found = next((stored[name] for name in names if stored.get(name) is not None), "")
    return found if isinstance(found, str) else str(found)


def _tab_separated(
    lines: Iterable[tuple[int, str]],
) -> Iterator[tuple[int, DocumentRecord]]:
    """Read docno and text, or docno, title and text, or docno, url, title and text."""
    for line, source in lines:
        cells = source.rstrip("\r\n").split("\t")
        if not source.strip() or (line == 1 and cells[0].lower() in NAMES["docno"]):
            continue
        if not 2 <= len(cells) <= 4:
            raise FormatError(
                line,
                f"It has {len(cells)} tab-separated columns; 2 to 4 are needed: docno, title, text.",
            )
        docno, *others, text = cells
        title, url = (
            (others[-1] if others else ""),
            (others[0] if len(others) == 2 else ""),
        )
        yield line, DocumentRecord(docno.strip(), title.strip(), text, url.strip())


def _trec(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, DocumentRecord]]:
    start, content = 0, list[str]()
    for line, source in lines:
        if not start:
            if DOC_OPENS.match(source):
                start, content = line, [DOC_OPENS.sub("", source, count=1)]
            elif source.strip():
                raise FormatError(
                    line, f"Here should stand <DOC>, not {source.strip()[:40]!r}."
                )
        else:
            content.append(source)
        if start and DOC_CLOSES.search(content[-1]):
            yield start, _of_element("".join(content))
            start = 0
    if start:
        raise FormatError(start, "The DOC that begins here does not end.")


def _of_element(content: str) -> DocumentRecord:
    """Take a DOC apart; without a TEXT everything but docno, title and address is its text."""
    found = {name: pattern.search(content) for name, pattern in PARTS.items()}
    values = {name: match[2].strip() if match else "" for name, match in found.items()}
    if not values["text"]:
        rest = content
        for name in ("docno", "title", "url"):
            rest = PARTS[name].sub("", rest)
        values["text"] = DOC_CLOSES.sub("", rest)
    plain = {
        name: MARKUP.sub(" ", value).strip()
        for name, value in values.items()
        if name != "docno"
    }
    return DocumentRecord(docno=values["docno"], **plain)
