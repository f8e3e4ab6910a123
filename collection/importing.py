"""The work of an import: write what was confirmed, or undo it."""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from django.utils import timezone

from accounts.access import Refused, check
from accounts.models import User
from campaigns.models.campaign import Campaign
from cleverdon.trec.words import counted
from collection.bulk import tables
from collection.bulk import writing as writing_bulk
from collection.bulk.writing import in_turn
from collection.from_above import TEXTS_CHANGED, TOPICS_GO
from collection.import_files import has_names_only, records, table_of
from collection.import_previews import Report, compared
from collection.models.imports import Import
from collection.models.items import Item
from collection.models.texts import Document, DocumentVersion
from collection.uses import added_topics, can_be_undone, check_can_delete, fixed_among, models_of
from jobs import work

# Topics of at most this size, unpacked, are read and imported within the request.
IN_REQUEST_BYTES = 1 << 16
COUNTS = ("n_new", "n_changed", "n_unchanged", "n_fixed")
# What must still be so when the import is written: the counts, and which texts would be replaced.
COMPARED = (*COUNTS, "replaced")

Writing = Callable[[], AbstractContextManager[object]]


def ready(row: Import) -> None:
    """Show what the import would do, and wait for somebody to confirm it."""
    _move(row, Import.State.READY, preview=row.preview, sha256=row.sha256, outcome="")


def write(row: Import, writing: Writing, report: Report) -> str:
    """Import a confirmed file, or ask again if it would do something else than was shown.

    After an attempt that broke off, what is written already is unchanged.
    """
    preview, repeated = compared(row, report)
    is_first = not table_of(row).model.objects.filter(imported_in=row).exists()
    if is_first and any(preview[n] != row.preview[n] for n in COMPARED):
        row.preview = {**preview, "hint": row.preview["hint"]}
        with writing():
            sentence = (
                "Since this was shown, the campaign has changed: see what the import would do now."
            )
            _move(row, Import.State.READY, preview=row.preview, outcome=sentence)
        return sentence
    names_only = has_names_only(row)
    with records(row) as (file, read):
        for batch in tables.batches(read):
            kept = [each for each in batch if each[0] not in repeated]
            with writing():
                writing_bulk.change_texts(
                    row, table_of(row), kept, partial(_check, row), names_only=names_only
                )
            report(file.tell())
    writing_bulk.tidy(*models_of(row))  # before a page reads it
    with writing():
        return _finish(row)


def undo(row: Import) -> str:
    """Put back what the import replaced, and delete what it added."""
    in_turn(row.campaign)
    try:
        check(can_be_undone, None, row)
    except Refused as refusal:
        raise work.CannotFinish(str(refusal)) from refusal
    n_new, n_changed = counts(row)
    if row.kind == Import.Kind.TOPICS:
        TOPICS_GO(added_topics(row))
        Item.objects.forget(added_topics(row))
    writing_bulk.undo(row, table_of(row))
    outcome = f"Undone: {n_new:,} deleted, {n_changed:,} put back."
    _move(row, Import.State.UNDONE, outcome=outcome)
    if n_new and row.kind == Import.Kind.DOCUMENTS:
        Campaign.objects.filter(pk=row.campaign_id).update(has_whole_collection=False)
    TEXTS_CHANGED(row.campaign, row.confirmed_by or row.created_by)
    return outcome


def delete_documents(campaign: Campaign, user: User) -> str:
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
    """Return how many texts the import added and changed, with those replaced by later ones.

    To be called `in_turn`, so that none is replaced between the queries.
    """
    model, versions = models_of(row)
    n_changed = versions.objects.filter(replaced_in=row).count()
    mine = (each.objects.filter(imported_in=row).count() for each in (model, versions))
    return sum(mine) - n_changed, n_changed


def _check(row: Import, names: Collection[str]) -> None:
    """Stop the import if the pool was frozen meanwhile."""
    if row.takes_versions:
        return
    fixed = fixed_among(row.campaign, table_of(row).model, names)
    if fixed:
        n = counted(len(fixed), row.kind[:-1])
        raise work.CannotFinish(
            f"Meanwhile {n} of which the text would change came to be pooled or judged. "
            "Import again and take them as new versions, or undo what was imported."
        )


def _finish(row: Import) -> str:
    in_turn(row.campaign)
    n_new, n_changed = counts(row)
    n_unchanged = sum(row.preview[n] for n in COUNTS[:3]) - n_new - n_changed
    outcome = f"{n_new:,} new, {n_changed:,} changed, {n_unchanged:,} unchanged."
    if row.completes_collection:
        outcome += _completed(row)
    _move(row, Import.State.IMPORTED, outcome=outcome, imported_at=timezone.now())
    TEXTS_CHANGED(row.campaign, row.confirmed_by or row.created_by)
    return outcome


def _completed(row: Import) -> str:
    """Declare the collection whole unless other files that complete it wait; say if they do."""
    others = Import.objects.waiting(row.campaign, row.kind).filter(completes_collection=True)
    if waits := others.exclude(pk=row.pk).first():
        return f" The collection is complete once {waits} is imported too."
    Campaign.objects.filter(pk=row.campaign_id).update(has_whole_collection=True)
    return ""


def _move(row: Import, state: Import.State, **changes: Any) -> None:
    Import.objects.filter(pk=row.pk).move(state, **changes)
