"""What an import would do, found out without writing anything."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any

from cleverdon.trec.field_names import Unread
from cleverdon.trec.recognize import BEGINNING
from cleverdon.trec.signatures import not_a_table
from cleverdon.trec.streams import FormatError
from cleverdon.trec.topics import HIDDEN
from collection.bulk import comparing, tables
from collection.bulk.tables import Record, TextTable
from collection.core.readability import EMPTY, UNREADABLE, fault_of
from collection.import_files import (
    contents,
    doubt,
    format_name,
    has_names_only,
    hint,
    is_of_topics,
    records,
    table_of,
)
from collection.models.imports import Import
from collection.uses import fixed_among, in_words, mentions_of

# Records, changes and names that a preview shows, and characters of a text.
SHOWN = 5
SHOWN_CHANGES = 20
SHOWN_NAMES = 100
SHOWN_CHARACTERS = 300
SHOWN_OF_FIRST = 3000  # of the first text, whose lines are shown as they are
# Characters before the first difference of two texts.
SHOWN_BEFORE = 60

Report = Callable[[int], None]


def preview(row: Import, report: Report) -> None:
    """Read the whole file and note what it would do. FormatError if it cannot be read.

    The error says what the file looks like, if that belongs elsewhere.
    """
    looks = ""
    try:
        looks = hint(row)
        found, _ = compared(row, report)
        row.preview = {**found, "hint": looks or doubt(row)}
    except FormatError as error:
        with contents(row) as (_, content):
            other = not_a_table(content.read(BEGINNING))
        raise FormatError(None, other or looks or str(error)) from error
    with row.file.open("rb") as file:
        row.sha256 = hashlib.file_digest(file.file, "sha256").hexdigest()


def compared(row: Import, report: Report) -> tuple[dict[str, Any], frozenset[int]]:
    """Return what an import would do, and the positions of records that a later one replaces."""
    changes, table = _Changes(row), table_of(row)
    seen, names_only, unread = _Seen(), has_names_only(row), Unread()
    with records(row, unread) as (file, read):
        every = changes.with_splits(read) if is_of_topics(row) else seen.documents(read)
        first = list(islice(every, SHOWN))
        result = comparing.compare(
            row.campaign,
            table,
            tables.batches(chain(first, every)),
            fixed=changes.note,
            on_batch=lambda: report(file.tell()),
            names_only=names_only,
        )
    preview = {
        "format": format_name(row),
        "n_new": result.n_new,
        "n_changed": result.n_changed,
        "n_unchanged": result.n_unchanged,
        "n_repeated": len(result.repeated),
        "n_fixed": len(result.fixed),
        # Those known keep their texts.
        "n_empty": result.n_new if names_only else seen.faults[EMPTY],
        "n_unreadable": seen.faults[UNREADABLE],
        "n_only_title": seen.n_only_title,
        "unread": unread.names,
        "more_unread": unread.are_more,
        "n_split": changes.n_split(),
        "replaced": result.replaced,
        "fixed": sorted(result.fixed)[:SHOWN_NAMES],
        "n_used": len(changes.used),
        "used": dict(sorted(changes.used.items())[:SHOWN_NAMES]),
        "first": [_shown(table, record) for record in first],
        "text": seen.text or _whole(table, first),
        "changes": changes.examples[:SHOWN_CHANGES],
    }
    return preview, result.repeated


class _Changes:
    """Examples of what would change, before and after; those in use come first."""

    def __init__(self, row: Import) -> None:
        self.row, self.examples = row, list[dict[str, Any]]()
        self.used = dict[str, str]()  # what rests on each text, by its name
        self.splits = dict[str, str]()  # of topics, by number, as the file has them

    def with_splits(self, records: Iterator[Any]) -> Iterator[Any]:
        """Yield topics, and note which of them the file hides."""
        for record in records:
            self.splits[record.number] = record.split
            yield record

    def n_split(self) -> int:
        """Count the topics that exist and whose split is another here; 0 if the file has none."""
        if HIDDEN not in self.splits.values():
            return 0
        known = self.row.campaign.topic_set.filter(number__in=list(self.splits))
        pairs = known.values_list("number", "split")
        return sum(self.splits[number] != split for number, split in pairs)

    def note(self, changed: list[Record]) -> set[str]:
        """Return which of the changed records must not change."""
        if not changed:
            return set()
        campaign, model = self.row.campaign, table_of(self.row).model
        by_name = {each[0]: each for each in changed}
        fixed = fixed_among(campaign, model, list(by_name))
        self.used |= in_words(mentions_of(campaign, model, list(by_name)))
        n_kept = sum(each["is_fixed"] or not fixed for each in self.examples)
        if n_kept < SHOWN_CHANGES:
            chosen = {name: each for name, each in by_name.items() if name in fixed} or by_name
            self._add(dict(islice(chosen.items(), SHOWN_CHANGES)), fixed)
        return fixed

    def _add(self, chosen: dict[str, Record], fixed: set[str]) -> None:
        """Add examples, and keep the first ones."""
        table = table_of(self.row)
        rows = table.model.objects.filter(
            campaign=self.row.campaign, **{f"{table.model.name_field}__in": list(chosen)}
        )
        for known in rows:
            name = getattr(known, table.model.name_field)
            texts = (
                (text, getattr(known, text), getattr(chosen[name], text)) for text in table.texts
            )
            fields = [{"field": text, **excerpts(*ab)} for text, *ab in texts if ab[0] != ab[1]]
            self.examples.append({"name": name, "is_fixed": name in fixed, "fields": fields})
        self.examples.sort(key=lambda each: not each["is_fixed"])
        del self.examples[SHOWN_CHANGES:]


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


def _cut(text: str, n: int = SHOWN_CHARACTERS) -> str:
    return text if len(text) <= n else f"{text[:n]}…"


class _Seen:
    """Of the documents of a file: faults, how many are only a title, and the first with a text."""

    def __init__(self) -> None:
        self.faults, self.n_only_title = Counter[str](), 0
        self.text = dict[str, str]()

    def documents(self, records: Iterator[Any]) -> Iterator[Any]:
        """Yield documents, and count what keeps them from being read."""
        for record in records:
            fault = fault_of(record.title + record.text)
            self.faults[fault] += 1
            self.n_only_title += not (fault or record.text.strip())
            if record.text and not self.text:
                self.text = _whole(tables.DOCUMENTS, [record])
            yield record


def _whole(table: TextTable, first: list[Any]) -> dict[str, str]:
    """Return the first record as it will be read."""
    return _shown(table, first[0], SHOWN_OF_FIRST) if first else {}


def _shown(table: TextTable, record: Record, n: int = SHOWN_CHARACTERS) -> dict[str, str]:
    texts = {text: _cut(getattr(record, text), n) for text in table.texts}
    return {"name": record[0], **texts}
