"""SQL that compares a file, or the docnos of a run, with what the campaign has."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from campaigns.models.campaign import Campaign
from cleverdon.trec.streams import FormatError
from collection.bulk.tables import Numbered, Record, TextTable, copy_in

# Repeated names in a file; their positions are in memory.
MOST_REPEATED = 1_000_000
CREATE_COMPARED = """
    CREATE TEMPORARY TABLE compared
        (name text COLLATE "C", position bigint, outcome text, replaced text)
"""
COMPARE = """
    INSERT INTO compared SELECT incoming.{key}, position, CASE
        WHEN known.id IS NULL THEN 'new'
        WHEN NOT %s AND ({known_texts}) IS DISTINCT FROM ({incoming_texts}) THEN 'changed'
        ELSE 'unchanged' END, known.id || '.' || known.version
    FROM incoming LEFT JOIN {table} AS known
    ON known.campaign_id = %s AND known.{key} = incoming.{key}
    RETURNING name, outcome
"""
COUNT = """
    SELECT outcome, count(*) FROM
        (SELECT DISTINCT ON (name) outcome FROM compared ORDER BY name, position DESC) AS last
    GROUP BY outcome
"""
# A digest of the texts that would be replaced: it changes when somebody else changes one of them.
REPLACED = """
    SELECT md5(coalesce(string_agg(replaced, ' ' ORDER BY name), ''))
    FROM (SELECT DISTINCT name, replaced FROM compared WHERE outcome = 'changed') AS changed
"""
REPEATED = """
    SELECT position FROM
        (SELECT position, lead(position) OVER (PARTITION BY name ORDER BY position) AS next
         FROM compared) AS places
    WHERE next IS NOT NULL LIMIT %s
"""

UNKNOWN = """
    SELECT docno FROM unnest(string_to_array(%s, E'\\n')) AS docno
    WHERE NOT EXISTS (
        SELECT FROM collection_document AS known
        WHERE known.campaign_id = %s AND known.docno = docno.docno
    )
"""


class TextComparison(NamedTuple):
    """How many texts are new, changed and unchanged, and which changed ones are `fixed`.

    `repeated` are the positions of records that a later one replaces; `replaced` is a digest of the
    texts that would be replaced.
    """

    n_new: int
    n_changed: int
    n_unchanged: int
    fixed: frozenset[str]
    repeated: frozenset[int]
    replaced: str


def compare(
    campaign: Campaign,
    table: TextTable,
    numbered: Iterable[list[Numbered]],
    *,
    fixed: Callable[[list[Record]], set[str]],
    on_batch: Callable[[], None],
    names_only: bool = False,
) -> TextComparison:
    """Compare batches of records with the campaign's; of each name the last record counts.

    `fixed` gets the records of a batch whose text differs, and returns the names of those that must
    not change. With `names_only` the records have no texts, so none is changed.
    """
    names = set[str]()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS pg_temp.compared")
        cursor.execute(CREATE_COMPARED)
        for batch in numbered:
            with transaction.atomic():
                copy_in(cursor, table, batch)
                cursor.execute(COMPARE.format_map(table.names), [names_only, campaign.pk])
                changed = {name for name, outcome in cursor if outcome == "changed"}
            names |= fixed([each for _, each in batch if each[0] in changed])
            on_batch()
        cursor.execute(COUNT)
        counts = Counter(dict(cursor.fetchall()))
        cursor.execute(REPLACED)
        (replaced,) = cursor.fetchone()
        repeated = _repeated(cursor)
        cursor.execute("DROP TABLE compared")
    return TextComparison(
        counts["new"], counts["changed"], counts["unchanged"], frozenset(names), repeated, replaced
    )


def _repeated(cursor: CursorWrapper) -> frozenset[int]:
    cursor.execute(REPEATED, [MOST_REPEATED + 1])
    repeated = frozenset(chain.from_iterable(cursor.fetchall()))
    if len(repeated) > MOST_REPEATED:
        lines = f"More than {MOST_REPEATED:,} lines"
        raise FormatError(None, f"{lines} name what an earlier line names, which is the limit.")
    return repeated


def unknown_docnos(campaign: Campaign, docnos: Sequence[str]) -> list[str]:
    """Return the docnos that no document of the campaign has. None may contain a line end."""
    with connection.cursor() as cursor:
        # One string: PostgreSQL parses each element of an array as a node of its own.
        cursor.execute(UNKNOWN, ["\n".join(docnos), campaign.pk])
        return [docno for (docno,) in cursor]
