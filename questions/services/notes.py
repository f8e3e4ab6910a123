"""Save notes on topics."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from assess.access.judging import check_can_judge
from assess.models.answering import lock_assignment
from assess.services.judgment_files import JudgingFile
from questions.access.notes import NoteChanged, check_note
from questions.core.notes import Note, NoteRecord
from questions.models.notes import TopicNote

NOTES = JudgingFile("notes.csv", "all notes on topics", NoteRecord, TopicNote.objects.records)


@transaction.atomic
def save_note(
    *, assessor: User, pk: int, note: Note, version: int | None = None, slug: str = ""
) -> TopicNote:
    """Save an assessor's note on the topic of an assignment; the same note again changes nothing.

    Raises NoteChanged if it has another version by now than the page had. With `slug` only in
    this campaign.
    """
    assignment = lock_assignment(pk, assessor, slug)
    check_can_judge(assessor, assignment, assignment.roles)
    check_note(note)
    row = TopicNote.objects.of(assignment.topic, assessor)
    if row.note == note:
        return row
    if version is not None and version != row.version:
        raise NoteChanged(row)
    row.text, row.difficulty, row.remark = note
    row.version += 1
    row.changed_at = timezone.now()
    row.save()
    return row
