"""Import topics and documents: upload a file, confirm or discard it, undo the import."""

from contextlib import nullcontext
from functools import partial

from django.core.files import File
from django.db import transaction

from accounts.access import Refused, check, check_accepted, check_seen
from accounts.models import User
from campaigns.access.roles import organizes
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.trec.streams import FormatError
from cleverdon.trec.words import verb
from collection import importing, tasks
from collection.access import Imports
from collection.events import CollectionEvent
from collection.from_above import DELETION_COST
from collection.import_previews import preview
from collection.models.imports import Import
from collection.uses import added_topics
from jobs import work

Kind, State = Import.Kind, Import.State


@act(Imports.upload)
def request_import(
    *,
    user: User,
    campaign: Campaign,
    kind: str,
    file: File[bytes],
    completes_collection: bool = False,
    is_html: bool = False,
    is_short: bool = False,
) -> Import:
    """Store an uploaded file and have a worker read it; read a short one at once, or refuse it."""
    row = Import.objects.create(
        campaign=campaign,
        kind=kind,
        file=file,
        file_name=(file.name or kind)[-255:],
        n_bytes=file.size,
        completes_collection=completes_collection,
        is_html=is_html,
        created_by=user,
    )
    is_topics = kind == Kind.TOPICS
    event = CollectionEvent.TOPICS_UPLOADED if is_topics else CollectionEvent.DOCUMENTS_UPLOADED
    AuditEvent.record(campaign, user, event, row)
    if is_short:
        _read_at_once(row)
    else:
        _have_done(tasks.read_import, row, user)
    return row


def _read_at_once(row: Import) -> None:
    try:
        preview(row, lambda _: None)
    except FormatError as error:
        raise Refused(str(error)) from error
    row.preview["is_short"] = True
    importing.ready(row)
    row.refresh_from_db()


@act(Imports.confirm)
def confirm_import(
    *, user: User, row: Import, takes_versions: bool = False, seen: str | None = None
) -> Import:
    """Import what was shown, at once if it is short.

    `seen` is what the page showed as `Import.previewed`. Texts in the frozen pool change
    only with `takes_versions`.
    """
    row = Import.objects.locked(row)
    _check_can_confirm(row, takes_versions=takes_versions, seen=seen)
    before, row.state = row.state, State.IMPORTING
    row.takes_versions, row.confirmed_by = takes_versions, user
    changes = {"takes_versions": takes_versions, "confirmed_by": user, "outcome": ""}
    Import.objects.filter(pk=row.pk).move(State.IMPORTING, **changes)
    is_topics = row.kind == Kind.TOPICS
    event = CollectionEvent.TOPICS_IMPORTED if is_topics else CollectionEvent.DOCUMENTS_IMPORTED
    AuditEvent.record(row.campaign, user, event, _described(row), sha256=row.sha256)
    if row.preview.get("is_short") and before == State.READY:
        _write_at_once(row)
    else:
        _have_done(tasks.write_import, row, user)
    return row


def _write_at_once(row: Import) -> None:
    try:
        with transaction.atomic():
            importing.write(row, nullcontext, lambda _: None)
    except (FormatError, work.CannotFinish) as error:
        raise Refused(str(error)) from error
    row.refresh_from_db()


def _check_can_confirm(row: Import, *, takes_versions: bool, seen: str | None) -> None:
    if row.state not in {State.READY, State.INTERRUPTED}:
        raise Refused(f"This file is {row.state}: it cannot be imported from here.")
    check_seen(seen, row.previewed, "What the import would do")
    n_fixed = row.preview["n_fixed"]
    if n_fixed and not takes_versions:
        raise Refused(
            f"{row.counted(n_fixed)} that {verb(n_fixed, 'is')} pooled or judged would get another "
            "text. Say that the new texts are taken as new versions, or discard the file."
        )


def _described(row: Import) -> str:
    n_new, n_changed, n_fixed = (row.preview[n] for n in ("n_new", "n_changed", "n_fixed"))
    text = f"{row}: {n_new:,} new, {n_changed:,} changed"
    if row.takes_versions and n_fixed:
        text += f", {row.counted(n_fixed)} of them pooled or judged"
    return text


@act(Imports.discard)
def discard_import(*, user: User, row: Import) -> None:
    """Delete a file of which nothing was imported."""
    work.cancel(tasks.read_import, row.pk, "The file was discarded.")
    locked = Import.objects.select_for_update(no_key=True).get(pk=row.pk)
    if locked.state == State.INTERRUPTED and any(importing.counts(row)):
        raise Refused("Some of this file has been imported: undo the import instead.")
    if not Import.objects.filter(pk=row.pk).move(State.DISCARDED):
        row.refresh_from_db()
        raise Refused(f"This file is {row.state} and can no longer be discarded.")
    AuditEvent.record(row.campaign, user, CollectionEvent.IMPORT_DISCARDED, row)
    transaction.on_commit(partial(row.file.delete, save=False))


@in_campaign
def undo_import(*, user: User, row: Import, accepts: str | None = None) -> None:
    """Have a worker put back what an import replaced and delete what it added.

    What would make valid runs invalid is refused until `accepts` says just that; None: nobody is
    asked.
    """
    check(organizes, user, row)
    row = Import.objects.locked(row)
    if row.state == State.UNDOING:
        raise Refused("This import is being undone already.")
    check(Imports.undo, user, row)
    numbers = set(added_topics(row).values_list("number", flat=True))
    check_accepted(" ".join(DELETION_COST(row.campaign, numbers)).strip(), accepts)
    Import.objects.filter(pk=row.pk).move(State.UNDOING)
    AuditEvent.record(row.campaign, user, CollectionEvent.IMPORT_UNDONE, row)
    _have_done(tasks.undo_import, row, user)


def _have_done(kind: work.JobKind, row: Import, user: User) -> None:
    work.request(
        campaign=row.campaign, kind=kind, subject_id=row.pk, user=user, about=row.file_name
    )
