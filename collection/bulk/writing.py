"""What an import writes, and how it is undone."""

from collections.abc import Callable, Collection, Iterable

from django.db import connection
from django.db.models import Model

from campaigns.models.campaign import Campaign
from collection.bulk.tables import Numbered, TextTable, copy_in
from collection.models.imports import Import

# Imports of one campaign write in turn, so that each keeps the text that it replaces.
IN_TURN = "SELECT pg_advisory_xact_lock(1968, %s)"
CHANGED = """
    SELECT known.{key} FROM incoming JOIN {table} AS known
    ON known.campaign_id = %s AND known.{key} = incoming.{key}
    WHERE ({known_texts}) IS DISTINCT FROM ({incoming_texts})
"""
KNOWN_STAY = """
    DELETE FROM incoming USING {table} AS known
    WHERE known.campaign_id = %s AND known.{key} = incoming.{key}
"""
KEEP = """
    INSERT INTO {earlier}
        ({link}, version, {texts}, imported_in_id, replaced_in_id, replaced_by_id, replaced_at)
    SELECT known.id, known.version, {known_texts}, known.imported_in_id, %s, %s, now()
    FROM incoming JOIN {table} AS known
    ON known.campaign_id = %s AND known.{key} = incoming.{key}
    WHERE ({known_texts}) IS DISTINCT FROM ({incoming_texts})
"""
WRITE = """
    INSERT INTO {table} AS known (campaign_id, {key}, {columns}, imported_in_id)
    SELECT %s, {key}, {columns}, %s FROM incoming
    ON CONFLICT (campaign_id, {key}) DO UPDATE SET
        ({texts}) = ROW({excluded_texts}), imported_in_id = EXCLUDED.imported_in_id,
        version = known.last_version + 1, last_version = known.last_version + 1
    WHERE ({known_texts}) IS DISTINCT FROM ({excluded_texts})
"""
RESTORE = """
    UPDATE {table} AS known SET
        ({texts}) = ROW({earlier_texts}),
        version = earlier.version, imported_in_id = earlier.imported_in_id
    FROM {earlier} AS earlier
    WHERE earlier.{link} = known.id AND earlier.replaced_in_id = %s AND known.imported_in_id = %s
"""
FORGET = "DELETE FROM {earlier} WHERE replaced_in_id = %s"
REMOVE = "DELETE FROM {table} WHERE imported_in_id = %s"


def in_turn(campaign: Campaign) -> None:
    """Keep others from changing the campaign's texts until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(IN_TURN, [campaign.pk])


def change_texts(
    row: Import,
    table: TextTable,
    batch: Iterable[Numbered],
    check: Callable[[Collection[str]], None],
    *,
    names_only: bool = False,
) -> None:
    """Write records, each name once, in a transaction; replaced texts become earlier versions.

    `check` is called with the names whose text would change, and raises if one must not. With
    `names_only` only new names are written.
    """
    campaign, names = row.campaign_id, table.names
    in_turn(row.campaign)
    with connection.cursor() as cursor:
        copy_in(cursor, table, batch)
        if names_only:
            cursor.execute(KNOWN_STAY.format_map(names), [campaign])
        cursor.execute(CHANGED.format_map(names), [campaign])
        check([name for (name,) in cursor])
        cursor.execute(KEEP.format_map(names), [row.pk, row.confirmed_by_id, campaign])
        cursor.execute(WRITE.format_map(names), [campaign, row.pk])


def tidy(*models: type[Model]) -> None:
    """Have PostgreSQL analyze these tables now; until it does so by itself it takes them for empty.

    In a transaction, such as that of a page that writes little, nothing is done.
    """
    if connection.in_atomic_block:
        return
    tables = ", ".join(each._meta.db_table for each in models)
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (ANALYZE) {tables}")


def undo(row: Import, table: TextTable) -> None:
    """Put back what an import replaced and delete what it added, in a transaction."""
    names = table.names
    in_turn(row.campaign)
    with connection.cursor() as cursor:
        cursor.execute(RESTORE.format_map(names), [row.pk, row.pk])
        cursor.execute(FORGET.format_map(names), [row.pk])
        cursor.execute(REMOVE.format_map(names), [row.pk])
