"""The tables of topics and documents, for the SQL of imports."""

import csv
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from django.db.backends.utils import CursorWrapper

from cleverdon.trec.documents import DocumentRecord
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.streams import FormatError
from cleverdon.trec.topics import TopicRecord
from collection.models.texts import Document, DocumentVersion, Topic, TopicVersion

Record = TopicRecord | DocumentRecord
# A record with its position in its file.
Numbered = tuple[int, Record]

# Rows of one statement, and characters of their texts (the last row may pass this).
BATCH = 5000
BATCH_CHARACTERS = 1 << 25


class TextTable(NamedTuple):
    """A table of texts with names. `names` are the placeholders of the SQL in this package.

    A record has its name, its `texts`, and what is taken from it only if the name is new.
    """

    model: type[Topic] | type[Document]
    earlier: type[TopicVersion] | type[DocumentVersion]
    texts: tuple[str, ...]
    derived: dict[str, Callable[[str], str]]
    of_new: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        columns = [*self.texts, *self.of_new, *self.derived]
        return {
            "table": self.model._meta.db_table,
            "earlier": self.earlier._meta.db_table,
            "key": self.model.name_field,
            "link": f"{self.model.__name__.lower()}_id",
            "texts": ", ".join(self.texts),
            "columns": ", ".join(columns),
            "typed": ", ".join(f"{name} text" for name in columns),
            **{
                f"{where}_texts": ", ".join(f"{where}.{text}" for text in self.texts)
                for where in ("known", "incoming", "earlier", "excluded")
            },
        }

    def row(self, position: int, record: Record) -> tuple[object, ...]:
        return position, *record, *(make(record[0]) for make in self.derived.values())


STATEMENT = ("title", "description", "narrative")
TOPICS = TextTable(Topic, TopicVersion, STATEMENT, {"sort_key": natural_key}, ("split",))
DOCUMENT = ("title", "text", "url", "language", "html")
DOCUMENTS = TextTable(Document, DocumentVersion, DOCUMENT, {})

CREATE_INCOMING = """
    CREATE TEMPORARY TABLE incoming (position bigint, {key} text COLLATE "C", {typed})
    ON COMMIT DROP
"""
COPY_INCOMING = "COPY incoming (position, {key}, {columns}) FROM STDIN (FORMAT csv)"


def batches(records: Iterable[Record]) -> Iterator[list[Numbered]]:
    """Yield records, numbered from 0, in lists that fit into memory whatever the size of a text.

    Those before a fault are yielded before its FormatError is raised.
    """
    batch, n_characters = list[Numbered](), 0
    try:
        for numbered in enumerate(records):
            batch.append(numbered)
            n_characters += sum(map(len, numbered[1]))
            if len(batch) == BATCH or n_characters >= BATCH_CHARACTERS:
                yield batch
                batch, n_characters = [], 0
    except FormatError:
        yield batch
        raise
    if batch:
        yield batch


def copy_in(cursor: CursorWrapper, table: TextTable, batch: Iterable[Numbered]) -> None:
    """Put records into the temporary table `incoming`, which lives until the transaction ends."""
    cursor.execute("DROP TABLE IF EXISTS pg_temp.incoming")
    cursor.execute(CREATE_INCOMING.format_map(table.names))
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as file:
        # Without quotes an empty field would be NULL, and a line of "\." would end the data.
        rows = (table.row(*numbered) for numbered in batch)
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(rows)
        file.seek(0)
        cursor.copy_expert(COPY_INCOMING.format_map(table.names), file)
