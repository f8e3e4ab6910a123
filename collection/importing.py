"""The work of an import: find out what a file would do, do it, undo it."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple

from django.conf import settings
from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from campaigns.models.campaign import Campaign
from collection.bulk import comparing, tables
from collection.bulk import writing as writing_bulk
from collection.bulk.tables import Record, Table
from collection.bulk.writing import in_turn
from collection.core.hypertext import read_page
from collection.core.readability import EMPTY, UNREADABLE, fault_of
from collection.from_above import TEXTS_CHANGED
from collection.models.imports import Import
from collection.models.texts import Document, DocumentVersion
from collection.uses import (
    check_can_delete,
    check_can_undo_import,
    fixed_among,
    in_words,
    mentions_of,
    models_of,
)
from jobs import work
from trec.documents import DocumentRecord, read_documents
from trec.recognize import BEGINNING, DOCNOS, format_of, looks_like
from trec.signatures import not_a_table
from trec.streams import MAX_EXPANSION, FormatError, opened
from trec.topics import MAX_BYTES as MAX_TOPIC_BYTES
from trec.topics import read_topics
from trec.words import counted

# Of topics, unpacked: read and imported within a request in a tenth of a second, whatever they hold.
IN_REQUEST_BYTES = 1 << 16
# Records, changes and names that a preview shows, and characters of a text.
SHOWN = 5
SHOWN_CHANGES = 20
SHOWN_NAMES = 100
SHOWN_CHARACTERS = 300
# Characters before the first difference of two texts.
SHOWN_BEFORE = 60
TABLES = {Import.Kind.TOPICS: tables.TOPICS, Import.Kind.DOCUMENTS: tables.DOCUMENTS}
COUNTS = ("n_new", "n_changed", "n_unchanged", "n_fixed")
# What must still be so when the import is written: the counts, and which texts would be replaced.
COMPARED = (*COUNTS, "replaced")
PLACES = {
    "a run": "Runs are submitted on the page Runs.",
    "qrels": "They are published, or imported, on the page Qrels.",
    "topics": "They are imported on the page Topics.",
    "documents": "They are imported on the page Documents.",
}

Writing = Callable[[], AbstractContextManager[object]]
Report = Callable[[int], None]


def table_of(row: Import) -> Table:
    return TABLES[Import.Kind(row.kind)]


def preview(row: Import, report: Report) -> None:
    """Read the whole file and note what it would do. FormatError if it cannot be read; it says what the file looks like where that belongs elsewhere."""
    hint = ""
    try:
        hint = _hint(row)
        row.preview = {**_compared(row, report).preview, "hint": hint}
    except FormatError as error:
        with _content(row) as (_, content):
            other = not_a_table(content.read(BEGINNING))
        raise FormatError(None, other or hint or str(error)) from error
    with row.file.open("rb") as file:
        row.sha256 = hashlib.file_digest(file.file, "sha256").hexdigest()


def ready(row: Import) -> None:
    """Show what the import would do, and wait for somebody to confirm it."""
    found = {"preview": row.preview, "sha256": row.sha256, "outcome": ""}
    _move(row, Import.State.READY, **found)


def write(row: Import, writing: Writing, report: Report) -> str:
    """Import a confirmed file, or return it to whoever confirmed it if it would do something else than was shown.

    A file that is imported again, after the first attempt broke off, finds what is written already unchanged.
    """
    compared = _compared(row, report)
    is_first = not table_of(row).model.objects.filter(imported_in=row).exists()
    if is_first and any(compared.preview[n] != row.preview[n] for n in COMPARED):
        row.preview = {**compared.preview, "hint": row.preview["hint"]}
        with writing():
            sentence = (
                "Since this was shown, the campaign has changed: see what the import would do now."
            )
            _move(row, Import.State.READY, preview=row.preview, outcome=sentence)
        return sentence
    names_only = _has_names_only(row)
    with _records(row) as (file, records):
        for batch in tables.batches(records):
            kept = [each for each in batch if each[0] not in compared.repeated]
            with writing():
                writing_bulk.change_texts(
                    row, table_of(row), kept, partial(_check, row), names_only=names_only
                )
            report(file.tell())
    writing_bulk.tidy(*models_of(row))  # what is committed, before a page asks for it
    with writing():
        return _finish(row)


def undo(row: Import) -> str:
    """Put back what the import replaced, and delete what it added."""
    in_turn(row.campaign)
    try:
        check_can_undo_import(row)
    except Refused as refusal:
        raise work.CannotFinish(str(refusal)) from refusal
    n_new, n_changed = counts(row)
    writing_bulk.undo(row, table_of(row))
    outcome = f"Undone: {n_new:,} deleted, {n_changed:,} put back."
    _move(row, Import.State.UNDONE, outcome=outcome)
    if n_new and row.kind == Import.Kind.DOCUMENTS:
        Campaign.objects.filter(pk=row.campaign_id).update(has_whole_collection=False)
    TEXTS_CHANGED(row.campaign, row.confirmed_by or row.created_by)
    return outcome


def delete_documents(campaign: Campaign, user: User) -> str:
    """Delete all documents, inside a transaction."""
    in_turn(campaign)
    documents = Document.objects.filter(campaign=campaign)
    try:
        check_can_delete(campaign, Document)
    except Refused as refusal:
        raise work.CannotFinish(str(refusal)) from refusal
    DocumentVersion.objects.filter(document__campaign=campaign).delete()
    n_deleted, _ = documents.delete()
    Campaign.objects.filter(pk=campaign.pk).update(has_whole_collection=False)
    TEXTS_CHANGED(campaign, user)
    return f"{counted(n_deleted, 'document')} deleted."


def counts(row: Import) -> tuple[int, int]:
    """Return how many texts the import has added and changed, also where a later one has replaced them since.

    To be called `in_turn`, so that none does between the queries.
    """
    model, versions = models_of(row)
    n_changed = versions.objects.filter(replaced_in=row).count()
    mine = (each.objects.filter(imported_in=row).count() for each in (model, versions))
    return sum(mine) - n_changed, n_changed


class _Compared(NamedTuple):
    preview: dict[str, Any]
    repeated: frozenset[int]


def _compared(row: Import, report: Report) -> _Compared:
    changes, table = _Changes(row), table_of(row)
    faults, names_only = Counter[str](), _has_names_only(row)
    with _records(row) as (file, read):
        is_documents = row.kind == Import.Kind.DOCUMENTS
        records = _noted(read, faults) if is_documents else read
        first = list(islice(records, SHOWN))
        found = comparing.compare(
            row.campaign,
            table,
            tables.batches(chain(first, records)),
            fixed=changes.note,
            on_batch=lambda: report(file.tell()),
            names_only=names_only,
        )
    preview = {
        "format": format_of(_beginning(row)),
        "n_new": found.n_new,
        "n_changed": found.n_changed,
        "n_unchanged": found.n_unchanged,
        "n_repeated": len(found.repeated),
        "n_fixed": len(found.fixed),
        "n_empty": faults[EMPTY],
        "n_unreadable": faults[UNREADABLE],
        "replaced": found.replaced,
        "fixed": sorted(found.fixed)[:SHOWN_NAMES],
        "n_used": len(changes.used),
        "used": dict(sorted(changes.used.items())[:SHOWN_NAMES]),
        "first": [_shown(table, record) for record in first],
        "changes": changes.examples[:SHOWN_CHANGES],
    }
    return _Compared(preview, found.repeated)


class _Changes:
    """What would change, in examples: before and after; those in use come first."""

    def __init__(self, row: Import) -> None:
        self.row, self.examples = row, list[dict[str, Any]]()
        self.used = dict[str, str]()  # what rests on each text, by its name

    def note(self, changed: list[Record]) -> set[str]:
        """Return which of the records must not change."""
        if not changed:
            return set()
        table = table_of(self.row)
        names = [each[0] for each in changed]
        fixed = fixed_among(self.row.campaign, table.model, names)
        self.used |= in_words(mentions_of(self.row.campaign, table.model, names))
        n_known = sum(each["is_fixed"] or not fixed for each in self.examples)
        if n_known >= SHOWN_CHANGES:
            return fixed
        chosen = {each[0]: each for each in changed if each[0] in fixed} or {
            each[0]: each for each in changed
        }
        names = list(chosen)[:SHOWN_CHANGES]
        rows = table.model.objects.filter(campaign=self.row.campaign, **{f"{table.key}__in": names})
        for known in rows:
            name = getattr(known, table.key)
            texts = (
                (text, getattr(known, text), getattr(chosen[name], text)) for text in table.texts
            )
            fields = [
                {"field": text, **excerpts(*both)} for text, *both in texts if both[0] != both[1]
            ]
            self.examples.append({"name": name, "is_fixed": name in fixed, "fields": fields})
        self.examples.sort(key=lambda each: not each["is_fixed"])
        del self.examples[SHOWN_CHANGES:]
        return fixed


def excerpts(before: str, after: str) -> dict[str, str]:
    """Return the part of two texts in which they begin to differ."""
    common, end = 0, min(len(before), len(after))
    while common < end:  # by halves, as a text may have millions of characters
        middle = (common + end + 1) // 2
        if before[common:middle] == after[common:middle]:
            common = middle
        else:
            end = middle - 1
    start = max(0, common - SHOWN_BEFORE)
    mark = "… " if start else ""
    return {"before": mark + _cut(before[start:]), "after": mark + _cut(after[start:])}


def _cut(text: str) -> str:
    """Return the beginning of a text, which says so if it is not all of it."""
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


def _noted(records: Iterator[Any], faults: Counter[str]) -> Iterator[Any]:
    """Yield documents, and count what keeps anybody from reading them."""
    for record in records:
        faults[fault_of(record.title + record.text)] += 1
        yield record


def _shown(table: Table, record: Record) -> dict[str, str]:
    texts = {text: _cut(getattr(record, text)) for text in table.texts}
    return {"name": record[0], **texts}


def _check(row: Import, names: Collection[str]) -> None:
    """Stop the import if the pool was frozen meanwhile."""
    if row.takes_versions:
        return
    fixed = fixed_among(row.campaign, table_of(row).model, names)
    if fixed:
        raise work.CannotFinish(
            f"Meanwhile {counted(len(fixed), row.kind[:-1])} of which the text would change came to be pooled or judged. "
            "Import again and take them as new versions, or undo what was imported."
        )


def _finish(row: Import) -> str:
    in_turn(row.campaign)
    n_new, n_changed = counts(row)
    n_unchanged = sum(row.preview[n] for n in COUNTS[:3]) - n_new - n_changed
    outcome = f"{n_new:,} new, {n_changed:,} changed, {n_unchanged:,} unchanged."
    _move(row, Import.State.IMPORTED, outcome=outcome, imported_at=timezone.now())
    if row.completes_collection:
        Campaign.objects.filter(pk=row.campaign_id).update(has_whole_collection=True)
    TEXTS_CHANGED(row.campaign, row.confirmed_by or row.created_by)
    return outcome


def _move(row: Import, state: Import.State, **changes: Any) -> None:
    Import.objects.filter(pk=row.pk).move(state, **changes)


def _hint(row: Import) -> str:
    """Say what the file looks like, if that belongs on another page."""
    what = looks_like(_beginning(row))
    return "" if what in {"", row.kind} else f"This looks like {what}. {PLACES[what]}"


def _has_names_only(row: Import) -> bool:
    """Whether the file lists docnos: the texts of documents that are there already stay."""
    is_documents = row.kind == Import.Kind.DOCUMENTS
    return is_documents and format_of(_beginning(row)) == DOCNOS


def _beginning(row: Import) -> str:
    with _content(row) as (_, content):
        return content.read(BEGINNING).decode(errors="replace")


@contextmanager
def _records(row: Import) -> Iterator[tuple[Any, Iterator[Record]]]:
    with _content(row) as (file, content):
        is_topics = row.kind == Import.Kind.TOPICS
        yield file, _read_topics(content) if is_topics else _read_documents(row, content)


def _read_topics(content: BinaryIO) -> Iterator[Record]:
    yield from read_topics(content)


def _read_documents(row: Import, content: BinaryIO) -> Iterator[Record]:
    for record in read_documents(content, is_html=row.is_html):
        yield _of_page(record) if record.html else record


def _of_page(record: DocumentRecord) -> DocumentRecord:
    """Return a document of HTML with what is kept of it, and with the text that it says."""
    try:
        page = read_page(record.html)
    except FormatError as error:
        raise FormatError(None, f"{record.docno}: {error.message}") from error
    title, language = record.title or page.title, record.language or page.language
    return record._replace(title=title, text=page.text, language=language, html=page.html)


@contextmanager
def _content(row: Import) -> Iterator[tuple[Any, BinaryIO]]:
    """Yield the stored file and what it holds, unpacked."""
    is_topics = row.kind == Import.Kind.TOPICS
    limit = MAX_TOPIC_BYTES if is_topics else settings.MAX_EXPANDED_BYTES
    with row.file.open("rb") as file:
        yield file, opened(file.file, limit=limit, max_expansion=MAX_EXPANSION)
