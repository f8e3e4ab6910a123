"""Writing topics, and writing and looking up documents, by the thousand: documents in SQL, as the ORM would work row by row."""

import csv
import tempfile
from collections.abc import Iterable, Iterator, Sequence

from django.db import connection, transaction

from campaigns.models import Campaign, Topic
from trec.documents import DocumentRecord
from trec.streams import FormatError
from trec.topics import TopicRecord

# What is written by one statement: rows, and characters of documents (the last document may pass this).
BATCH = 5000
BATCH_CHARACTERS = 1 << 25

CREATE_INCOMING = """
    CREATE TEMPORARY TABLE incoming
        (position serial, docno text, title text, text text, url text, language text)
"""
COPY_INCOMING = """
    COPY incoming (docno, title, text, url, language) FROM STDIN (FORMAT csv)
"""
# If a docno comes twice in a batch, the last one counts; a document already imported is replaced.
MERGE_INCOMING = """
    WITH merged AS (
        INSERT INTO campaigns_document (campaign_id, docno, title, text, url, language)
        SELECT DISTINCT ON (docno) %s, docno, title, text, url, language
        FROM incoming ORDER BY docno, position DESC
        ON CONFLICT (campaign_id, docno) DO UPDATE SET
            title = EXCLUDED.title, text = EXCLUDED.text,
            url = EXCLUDED.url, language = EXCLUDED.language
        RETURNING xmax = 0 AS is_new
    )
    SELECT count(*) FILTER (WHERE is_new) FROM merged
"""
UNKNOWN = """
    SELECT docno FROM unnest(string_to_array(%s, E'\\n')) AS docno
    WHERE NOT EXISTS (
        SELECT FROM campaigns_document AS known
        WHERE known.campaign_id = %s AND known.docno = docno.docno
    )
"""


def batches(records: Iterable[DocumentRecord]) -> Iterator[list[DocumentRecord]]:
    """Yield documents in lists that are small enough for the memory, whatever the size of a document.

    Those before a fault are yielded before its FormatError is raised.
    """
    batch, n_characters = list[DocumentRecord](), 0
    try:
        for record in records:
            batch.append(record)
            n_characters += sum(map(len, record))
            if len(batch) == BATCH or n_characters >= BATCH_CHARACTERS:
                yield batch
                batch, n_characters = [], 0
    except FormatError:
        yield batch
        raise
    if batch:
        yield batch


def write_topics(campaign: Campaign, records: Sequence[TopicRecord]) -> int:
    """Add topics, replacing the text of those with the same number; return how many were new."""
    known = set(campaign.topic_set.values_list("number", flat=True))
    Topic.objects.bulk_create(
        [Topic(campaign=campaign, **record._asdict()) for record in records],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["campaign", "number"],
        update_fields=["title", "description", "narrative"],
    )
    return sum(record.number not in known for record in records)


def write_documents(campaign: Campaign, records: Iterable[DocumentRecord]) -> int:
    """Add documents, replacing those already imported under their docno; return how many were new."""
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as file,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        # Without quotes an empty field would be NULL, and a line of "\." would end the data.
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(records)
        file.seek(0)
        cursor.execute(CREATE_INCOMING)
        cursor.copy_expert(COPY_INCOMING, file)
        cursor.execute(MERGE_INCOMING, [campaign.pk])
        n_new = int(cursor.fetchone()[0])
        cursor.execute("DROP TABLE incoming")
    return n_new


def unknown_docnos(campaign: Campaign, docnos: Sequence[str]) -> list[str]:
    """Return the docnos that no document of the campaign has. None may contain a line end."""
    with connection.cursor() as cursor:
        # One string: PostgreSQL parses each element of an array in a statement as a node of its own.
        cursor.execute(UNKNOWN, ["\n".join(docnos), campaign.pk])
        return [docno for (docno,) in cursor]
