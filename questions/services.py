"""Ask, withdraw, answer, mark answers as seen, and save notes on topics."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.access import Refused, check, check_seen
from accounts.models import User
from assess.models.answering import lock_assignment
from assess.models.assigning import Assignment
from assess.services.judgment_files import JudgingFile
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.trec.versions import version
from questions.access import NoteChanged, Notes, Questions, check_answer, check_note, check_question
from questions.core import Note, NoteRecord, QuestionRecord
from questions.events import QuestionEvent
from questions.models import Answering, AnswerSeen, Question, TopicNote

QUESTIONS = JudgingFile(
    "questions.csv", "all questions and answers", QuestionRecord, Question.objects.records
)
NOTES = JudgingFile("notes.csv", "all notes on topics", NoteRecord, TopicNote.objects.records)
ASKED_ELSEWHERE = (
    "This client_id has already asked something else: make a new one for each question."
)


@in_campaign
def ask(
    *, user: User, assignment: Assignment, client_id: UUID, text: str, docno: str = ""
) -> Question:
    """Ask about the topic of an assignment or one of its documents; once for each client id."""
    locked = lock_assignment(assignment.pk, user)
    earlier = Question.objects.with_answer().filter(client_id=client_id).first()
    if earlier:
        was = earlier.asker_id, earlier.topic_id, earlier.docno, earlier.text
        if was != (user.pk, locked.topic_id, docno, text):
            raise Refused(ASKED_ELSEWHERE)
        return earlier
    check(Questions.ask, user, locked)
    check_question(locked, docno, text)
    return Question.objects.create(
        client_id=client_id, topic=locked.topic, docno=docno, asker=user, text=text
    )


@in_campaign
def withdraw_question(*, user: User, question: Question) -> Question:
    """Take an unanswered question back."""
    locked = _locked(question)
    check(Questions.withdraw, user, locked)
    if not locked.withdrawn_at:
        locked.withdrawn_at = timezone.now()
        locked.save(update_fields=["withdrawn_at"])
    return locked


@in_campaign
def answer(
    *,
    user: User,
    question: Question,
    text: str,
    audience: str = Answering.Audience.ASKER,
    seen: str | None = None,
) -> Answering:
    """Answer a question, or correct its answer; the same answer again changes nothing.

    `seen` is the version of the newest answer's id, 0 for none.
    """
    locked = _locked(question)
    check(Questions.answer, user, locked)
    check_answer(text, audience)
    present = locked.answers.last()
    if present and (present.text, present.audience) == (text, audience):
        return present
    by = f", now by {present.by}," if present else ""
    check_seen(seen, version(present.pk if present else 0), f"The answer{by}")
    made = Answering.objects.create(question=locked, text=text, audience=audience, by=user)
    AuditEvent.record(
        locked.topic.campaign,
        user,
        QuestionEvent.ANSWERED,
        f"{locked.topic} by {locked.asker}",
        question=locked.pk,
        answer=made.pk,
        audience=audience,
        corrects=present and present.pk,
    )
    return made


@act(Questions.see_own)
def see_answers(*, user: User, campaign: Campaign, answers: list[int]) -> None:
    """Record that an assessor has seen these answers, by id, of those they may read."""
    readable = Question.objects.readable_to(user, campaign)
    seen = {pk for each in readable if (pk := each.answer_id) and pk in answers}
    rows = [AnswerSeen(answer_id=pk, reader=user) for pk in sorted(seen)]
    AnswerSeen.objects.bulk_create(rows, ignore_conflicts=True)


def _locked(question: Question) -> Question:
    rows = Question.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("topic__campaign", "asker").get(pk=question.pk)


@transaction.atomic
def save_note(*, assessor: User, pk: int, note: Note, version: int | None = None) -> TopicNote:
    """Save an assessor's note on the topic of an assignment; the same note again changes nothing.

    Raises NoteChanged if it has another version by now than the page had.
    """
    assignment = lock_assignment(pk, assessor)
    check(Notes.save, assessor, assignment)
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
