"""The file of an import: opened, recognized, and read record by record."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from django.conf import settings

from cleverdon.trec.documents import MAX_TITLE, DocumentRecord, read_documents
from cleverdon.trec.field_names import OF_DOCUMENTS, OF_TOPICS, Fields, Unread
from cleverdon.trec.recognize import BEGINNING, DOCNOS, first_line_in_doubt, format_of, looks_like
from cleverdon.trec.streams import MAX_EXPANSION, FormatError, opened
from cleverdon.trec.topics import MAX_BYTES as MAX_TOPIC_BYTES
from cleverdon.trec.topics import read_topics
from collection.bulk import tables
from collection.bulk.tables import Record, TextTable
from collection.core.hypertext.page import read_page
from collection.models.imports import Import

PLACES = {
    "a run": "Runs are submitted on the page Runs.",
    "qrels": "They are published, or imported, on the page Qrels.",
    "topics": "They are imported on the page Topics.",
    "documents": "They are imported on the page Documents.",
}


def is_of_topics(row: Import) -> bool:
    return row.kind == Import.Kind.TOPICS


def table_of(row: Import) -> TextTable:
    return tables.TOPICS if is_of_topics(row) else tables.DOCUMENTS


@contextmanager
def contents(row: Import) -> Iterator[tuple[Any, BinaryIO]]:
    limit = MAX_TOPIC_BYTES if is_of_topics(row) else settings.MAX_EXPANDED_BYTES
    with row.file.open("rb") as file:
        yield file, opened(file.file, limit=limit, max_expansion=MAX_EXPANSION)


@contextmanager
def records(row: Import, unread: Unread | None = None) -> Iterator[tuple[Any, Iterator[Record]]]:
    """Read the file; names of fields that are not read are noted in `unread`."""
    with contents(row) as (file, content):
        if is_of_topics(row):
            yield file, iter(read_topics(content, unread))
        else:
            yield file, _documents(row, content, unread)


def _documents(row: Import, content: BinaryIO, unread: Unread | None) -> Iterator[Record]:
    for record in read_documents(content, is_html=row.is_html, unread=unread):
        yield _of_page(record) if record.html else record


def _of_page(record: DocumentRecord) -> DocumentRecord:
    """Return a document of HTML with what is kept of it, and with its text."""
    try:
        page = read_page(record.html)
    except FormatError as error:
        raise FormatError(None, f"{record.docno}: {error.message}") from error
    title, language = record.title or page.title[:MAX_TITLE], record.language or page.language
    return record._replace(title=title, text=page.text, language=language, html=page.html)


def format_name(row: Import) -> str:
    return format_of(_beginning(row), _fields(row))


def has_names_only(row: Import) -> bool:
    """Return whether the file lists docnos, so that the texts of known documents stay."""
    return not is_of_topics(row) and format_name(row) == DOCNOS


def hint(row: Import) -> str:
    """Say what the file looks like, if that belongs on another page."""
    what = looks_like(_beginning(row))
    return "" if what in {"", row.kind} else f"This looks like {what}. {PLACES[what]}"


def doubt(row: Import) -> str:
    return first_line_in_doubt(_beginning(row), _fields(row))


def _fields(row: Import) -> Fields:
    return OF_TOPICS if is_of_topics(row) else OF_DOCUMENTS


def _beginning(row: Import) -> str:
    with contents(row) as (_, content):
        return content.read(BEGINNING).decode(errors="replace")
