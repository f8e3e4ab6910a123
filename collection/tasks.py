"""Jobs of topics and documents: read and import files, undo imports, delete documents."""

from functools import partial

from cleverdon.trec.streams import FormatError
from collection import importing
from collection.bulk.writing import in_turn
from collection.from_above import TEXTS_CHANGED
from collection.import_previews import preview
from collection.models.imports import Import
from jobs import work
from jobs.models import Job


def _import_of(job: Job, state: Import.State) -> Import:
    """Return the import of a job that begins or is tried again. CannotFinish in another state."""
    rows = Import.objects.filter(pk=job.subject_id)
    rows.move(state)
    row = rows.select_related("campaign").get()
    if row.state != state:
        raise work.CannotFinish(f"This import is {row.state} by now.")
    work.report(job, 0, row.n_bytes)
    return row


def _give_up(job: Job, state: Import.State) -> None:
    outcome = Job.objects.get(pk=job.pk).outcome
    Import.objects.filter(pk=job.subject_id).move(state, outcome=outcome)


def _give_up_writing(job: Job) -> None:
    """Tell what has been written all the same."""
    _give_up(job, Import.State.INTERRUPTED)
    in_turn(job.campaign)
    TEXTS_CHANGED(job.campaign, job.created_by)


def _give_up_undoing(job: Job) -> None:
    """Leave the import as it was: undoing is one transaction."""
    row = Import.objects.get(pk=job.subject_id)
    is_whole = row.imported_at is not None
    _give_up(job, Import.State.IMPORTED if is_whole else Import.State.INTERRUPTED)


@work.kind("read a file", of=Import, give_up=partial(_give_up, state=Import.State.UNREADABLE))
def read_import(job: Job) -> str:
    """Find out what an import would do; it is written once confirmed."""
    row = _import_of(job, Import.State.READING)
    try:
        preview(row, partial(work.report, job))
    except FormatError as error:
        # The file is at fault, not the work, so that no second attempt would help.
        with work.writing(job):
            Import.objects.filter(pk=row.pk).move(Import.State.UNREADABLE, outcome=str(error))
        return f"{row.file_name} cannot be read. {error}"
    with work.writing(job):
        importing.ready(row)
    return "What it would do is shown before it is imported."


@work.kind("import a file", of=Import, give_up=_give_up_writing)
def write_import(job: Job) -> str:
    row = _import_of(job, Import.State.IMPORTING)
    writing, report = partial(work.writing, job), partial(work.report, job)
    return importing.write(row, writing, report)


@work.kind("undo an import", of=Import, give_up=_give_up_undoing)
def undo_import(job: Job) -> str:
    row = _import_of(job, Import.State.UNDOING)
    with work.writing(job):
        return importing.undo(row)


@work.kind("delete the documents")
def delete_documents(job: Job) -> str:
    with work.writing(job):
        return importing.delete_documents(job.campaign, job.created_by)
