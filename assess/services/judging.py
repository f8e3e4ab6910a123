"""Record judgments and undo them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from assess.access import (
    check_answer,
    check_can_judge,
    check_provenance,
)
from assess.announcing import announce
from assess.core.answers import Answer, Provenance
from assess.models import Assignment, AssignmentEntry, Judgment, JudgmentEvent
from assess.services.assigning import Kind
from trec.streams import storable

COUNTERS: Mapping[str, str] = {
    Judgment.State.JUDGED: "n_judged",
    Judgment.State.LATER: "n_later",
    Judgment.State.REOPENED: "n_later",
    Judgment.State.CANNOT_JUDGE: "n_cannot_judge",
}

USED_ELSEWHERE = "This client_id has already recorded an answer for another topic: make a new one for each answer."

SET_ASIDE = "This answer was recorded, and an organizer has set it aside since: load the page again."


@contextmanager
def _recorded_once() -> Iterator[None]:
    """Write in one transaction; refuse a client id that is being recorded for another assignment at the same moment."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if "client_id" not in str(error):
            raise
        raise Refused(USED_ELSEWHERE) from error


@_recorded_once()
def judge(
    *,
    assessor: User,
    assignment: Assignment,
    answer: Answer,
    provenance: Provenance | None = None,
) -> Judgment:
    """Record an answer, replacing the assessor's earlier one. The judgment's `assignment` has the new counts."""
    provenance = provenance or Provenance()
    assignment, recorded = _begin(assessor, assignment, provenance)
    if recorded:
        return recorded
    check_answer(answer, assignment.topic.campaign.scale)
    entries = assignment.entries.select_related("judgment")
    docno = storable(answer.docno)
    entry = entries.filter(docno=docno).first()
    if entry is None:
        raise Refused(
            f"{docno} is not a document you were given for topic {assignment.topic}."
        )
    return _change(assignment, entry, answer, provenance)


@_recorded_once()
def undo(
    *, assessor: User, assignment: Assignment, provenance: Provenance | None = None
) -> AssignmentEntry | None:
    """Reopen the document decided last and return its entry; None if there is nothing to undo."""
    provenance = provenance or Provenance()
    assignment, recorded = _begin(assessor, assignment, provenance)
    if recorded:
        return recorded.entry
    entry = assignment.entries.decided_last()
    if entry:
        reopened = Answer(entry.docno, Judgment.State.REOPENED)
        _change(assignment, entry, reopened, provenance)
    return entry


def _begin(
    assessor: User, assignment: Assignment, provenance: Provenance
) -> tuple[Assignment, Judgment | None]:
    """Lock the assignment and return it, with the judgment if this event was recorded before."""
    check_provenance(provenance)
    # The lock makes the second of two clicks wait for the first, and keeps the counts right.
    locked = Assignment.objects.locked(assignment.pk)
    check_can_judge(assessor, locked)
    event = JudgmentEvent.objects.recorded(provenance.client_id)
    if event is None:
        return locked, None
    if event.assignment_id != locked.pk:
        raise Refused(USED_ELSEWHERE)
    if event.judgment.set_aside_at:
        raise Refused(SET_ASIDE)
    event.judgment.assignment = event.judgment.entry.assignment = locked
    return locked, event.judgment


def _change(
    assignment: Assignment,
    entry: AssignmentEntry,
    answer: Answer,
    provenance: Provenance,
) -> Judgment:
    """Write judgment, event and counts together."""
    earlier = entry.judgment
    before = {"from_state": entry.state, "from_grade": earlier and earlier.grade}
    judgment = _own(assignment, entry)
    judgment.change = assignment.n_changes + 1
    _save_answer(judgment, answer)
    event = JudgmentEvent.objects.create(
        assignment=assignment,
        judgment=judgment,
        to_state=answer.state,
        to_grade=answer.grade,
        reason=answer.reason,
        **before,
        **asdict(provenance),
    )
    if earlier != judgment:
        entry.judgment = judgment
        entry.save(update_fields=["judgment"])
    _count(assignment, event)
    if assignment.kind == Kind.PRIMARY:
        campaign_id = assignment.topic.campaign_id
        # The judgment is kept even if this fails: the board looks for new ones every minute.
        transaction.on_commit(partial(announce, campaign_id), robust=True)
    return judgment


def _own(assignment: Assignment, entry: AssignmentEntry) -> Judgment:
    """Return the assessor's judgment of a document, to be changed; one by whoever had the topic before is set aside."""
    earlier = entry.judgment
    if earlier and earlier.assessor_id == assignment.assessor_id:
        earlier.assignment = assignment
        return earlier
    if earlier:
        Judgment.objects.filter(pk=earlier.pk).update(set_aside_at=timezone.now())
    return Judgment(
        topic=assignment.topic,
        assessor_id=assignment.assessor_id,
        docno=entry.docno,
        assignment=assignment,
    )


def _save_answer(judgment: Judgment, answer: Answer) -> None:
    """Save the answer as the judgment's present state; without a comment, the earlier one stays."""
    judgment.state, judgment.grade = answer.state, answer.grade
    judgment.reason = answer.reason
    if answer.comment is not None:
        judgment.comment = answer.comment
    judgment.changed_at = timezone.now()
    judgment.save()


def _count(assignment: Assignment, event: JudgmentEvent) -> None:
    """Update the counts of a locked assignment."""
    assignment.n_changes += 1
    for state, change in ((event.from_state, -1), (event.to_state, 1)):
        if counter := COUNTERS.get(state):
            setattr(assignment, counter, getattr(assignment, counter) + change)
    assignment.save(update_fields=["n_changes", *set(COUNTERS.values())])
